import { describe, expect, it } from 'vitest'
import { authOf, serverOf } from '../servers/fixture'
import {
  isMachine,
  isPending,
  lastsWords,
  missing,
  moreRights,
  phaseOf,
  reasonWords,
  signInHref,
} from './words'

const now = Date.parse('2026-11-30T14:00:00.000Z')
const http = (changes: Parameters<typeof serverOf>[0]) => serverOf({ transport: 'http', ...changes })
const waits = { state: 'needs_sign_in' } as const

describe('phaseOf', () => {
  it.each<[string, Parameters<typeof serverOf>[0], string]>([
    ['nothing was asked for', {}, 'none'],
    ['the server refuses', { status: waits }, 'needs'],
    ['it is known that it will', { status: { auth: authOf({ state: 'needs_sign_in' }) } }, 'needs'],
    ['signed in', { status: { auth: authOf({ state: 'signed_in' }) } }, 'signed_in'],
    ['a call lacked rights', { status: { auth: authOf({ state: 'signed_in', step_up: ['w'] }) } }, 'step_up'],
    ['signed out', { status: { ...waits, auth: authOf({ state: 'signed_out' }) } }, 'signed_out'],
    ['a token in the settings', { bearer_token: { set: true } }, 'own_token'],
    ['it is refused', { bearer_token: { set: true }, status: waits }, 'token_refused'],
    ['a header of the person’s', { headers: { AUTHORIZATION: 'x' }, status: waits }, 'token_refused'],
    ['switched off', { enabled: false, status: waits }, 'none'],
  ])('%s', (_, changes, want) => {
    expect(phaseOf(http(changes))).toBe(want)
  })
})

it('waits for a browser until its time is up', () => {
  const auth = authOf({ pending_until: '2026-11-30T14:10:00.000Z' })
  expect(isPending(auth, now)).toBe(true)
  expect(isPending(auth, now + 600_000)).toBe(false)
  expect(isPending(authOf(), now)).toBe(false)
  expect(isPending(undefined, now)).toBe(false)
})

it('names what isn’t granted; all of it where a server refuses what it granted', () => {
  expect(missing(['read', 'write'], ['read'])).toEqual(['write'])
  expect(missing(['read'], ['read'])).toEqual(['read'])
  expect(moreRights(['write'])).toBe('one more right')
  expect(moreRights(['a', 'b'])).toBe('2 more rights')
  expect(moreRights([])).toBe('more rights')
})

describe('reasonWords', () => {
  it.each([
    ['expired', 'as.example refused to renew it', 'As.example refused to renew it.'],
    ['expired', '', 'Your sign-in to Docs has ended, and can’t be renewed without you.'],
    ['first_time', 'x asks', 'X asks. Its tools are there once you have signed in.'],
  ] as const)('%s: %s', (reason, message, want) => {
    expect(reasonWords(reason, message, 'Docs')).toBe(want)
  })
})

describe('lastsWords', () => {
  const signedIn = (more: Parameters<typeof authOf>[0]) => authOf({ state: 'signed_in', ...more })
  const later = '2026-11-30T14:30:00.000Z'
  it.each([
    ['nobody', authOf(), /^$/],
    ['no end is known', signedIn({}), /^until the server refuses it$/],
    ['no end, renewable', signedIn({ renewable: true }), /^as long as Kontor renews it/],
    [
      'renewed in time',
      signedIn({ renewable: true, expires_at: later }),
      /^until .*30.*, renewed by itself before$/,
    ],
    ['not renewed', signedIn({ expires_at: later }), /^until .*30.*, then you sign in again$/],
    ['over', signedIn({ expires_at: '2026-11-30T13:00:00.000Z' }), /^over/],
    ['over, renewable', signedIn({ expires_at: '2026-11-30T13:00:00.000Z', renewable: true }), /^renewed at/],
  ])('%s', (_, auth, want) => {
    expect(lastsWords(auth, now)).toMatch(want)
  })
})

it('tells machines from people', () => {
  expect(isMachine({ oauth: {} })).toBe(false)
  expect(isMachine({ oauth: { grant: 'authorization_code' } })).toBe(false)
  expect(isMachine({ oauth: { grant: 'enterprise' } })).toBe(true)
})

it('leads to the page of a server by any name', () => {
  expect(signInHref('a b/c')).toBe('/signin/a%20b%2Fc?tab=own')
})
