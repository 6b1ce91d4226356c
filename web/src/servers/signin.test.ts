import { expect, it } from 'vitest'
import type { Phase } from '../signin/words'
import { authOf, serverOf } from './fixture'
import { buttonsOf, phaseWords } from './signin'

it.each<[Phase, boolean, string]>([
  ['none', false, 'Sign in'],
  ['needs', false, 'Sign in, main'],
  ['signed_in', false, 'Sign in again, out'],
  ['step_up', false, 'Sign in again, main, out'],
  ['signed_out', false, 'Sign in, main'],
  ['own_token', false, 'settings'],
  ['token_refused', false, 'main, settings'],
  ['needs', true, 'Get a token, main, settings'],
  ['signed_in', true, 'Get a new token, out'],
])('%s offers (machine: %s) %s', (phase, machine, want) => {
  const { signIn, main, signOut, settings } = buttonsOf(phase, machine)
  const words = [signIn, main && 'main', signOut && 'out', settings && 'settings']
  expect(words.filter(Boolean).join(', ')).toBe(want)
})

const needs = {
  state: 'needs_sign_in',
  auth: authOf({ state: 'needs_sign_in', message: 'x said no.' }),
} as const

it.each<[Phase, Parameters<typeof serverOf>[0], RegExp]>([
  ['none', {}, /^demo has not asked/],
  ['needs', { status: needs }, /^X said no\. Its tools/],
  [
    'needs',
    { oauth: { grant: 'enterprise' }, status: needs },
    /^X said no\. Kontor gets its tokens by itself: enterprise/,
  ],
  ['signed_in', {}, /in your name/],
  ['signed_in', { status: { auth: authOf({ message: 'asked three times' }) } }, /^Asked three times\.$/],
  [
    'step_up',
    { status: { auth: authOf({ message: 'A call was refused.' }) } },
    /^A call was refused\. Sign in again/,
  ],
  ['signed_out', {}, /^You signed out of demo/],
])('%s in words', (phase, changes, want) => {
  expect(phaseWords(phase, serverOf({ transport: 'http', ...changes }))).toMatch(want)
})
