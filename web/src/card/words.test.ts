import { describe, expect, it } from 'vitest'
import Square from '@lucide/svelte/icons/square'
import { parseJson } from '../lib/json'
import type { Call } from '../lib/wire'
import { callStates } from '../ui/states'
import {
  callLook,
  causeTitle,
  isBad,
  leadsAgain,
  percent,
  progressText,
  remedy,
  timeTaken,
  waitedWords,
} from './words'

const progress = (text: string) => parseJson(text) as unknown as NonNullable<Call['progress']>
const started_at = '2026-11-30T14:00:00.000Z'
const now = Date.parse(started_at)

describe('timeTaken', () => {
  it.each([
    ['done', '2026-11-30T14:00:00.420Z', 0, '0.42 s'],
    ['running', null, 14_200, '0:14'],
    ['running', null, 3_725_000, '1:02:05'],
    ['running', null, -5_000, '0:00'],
    ['waiting_input', null, 9_000, ''],
    ['cancelled', '2026-11-30T14:02:05.000Z', 0, '2 min 5 s'],
  ] as const)('of a %s call', (state, ended_at, passed, want) => {
    expect(timeTaken({ state, started_at, ended_at }, now + passed)).toBe(want)
  })
})

it('does not count the time that a person thought', () => {
  const call = { state: 'done', started_at, ended_at: '2026-11-30T14:00:31.018Z', waited_ms: 31_000 } as const
  expect(timeTaken(call, 0)).toBe('18 ms')
  expect(waitedWords(call)).toBe('waited 31 s for you')
  expect(timeTaken({ ...call, state: 'running', ended_at: null }, now + 33_000)).toBe('0:02')
  expect(waitedWords({ waited_ms: 400 })).toBe('')
})

it.each([
  ['done', true, undefined, true],
  ['done', false, undefined, false],
  ['failed', false, 'invalid', true],
  ['failed', false, 'denied', false],
  ['rejected', false, 'rejected', false],
  ['unknown', false, 'outcome_unknown', false],
] as const)('leads to another run: %s', (state, is_error, code, want) => {
  expect(leadsAgain({ state, is_error, ...(code && { error: { code, message: '' } }) })).toBe(want)
})

describe('progress', () => {
  it.each([
    ['{"progress":31,"total":50}', 62, '62 %'],
    ['{"progress":999,"total":1000}', 99.9, '99 %'],
    ['{"progress":7,"total":5}', 100, '100 %'],
    ['{"progress":31}', null, '31'],
    ['{"progress":9007199254740993}', null, '9007199254740993'],
    ['{"progress":1,"total":0}', null, '1'],
    ['{"progress":1e400,"total":1e400}', null, '1e400'],
  ])('%s', (text, share, words) => {
    expect(percent(progress(text))).toBe(share)
    expect(progressText(progress(text))).toBe(words)
  })
})

describe('where a call stands', () => {
  it('tells a tool’s own error from an answer', () => {
    expect(callLook({ state: 'done', is_error: true }).word).toBe('tool error')
    expect(callLook({ state: 'done', is_error: false }).word).toBe('done')
    expect(isBad({ state: 'done', is_error: true })).toBe(true)
    expect(isBad({ state: 'cancelled', is_error: false })).toBe(false)
  })

  it('names the cause, also one that it doesn’t know', () => {
    expect(causeTitle({ state: 'unknown' })).toBe('Outcome unknown.')
    expect(causeTitle({ state: 'failed', error: { code: 'timeout', message: '' } })).toBe('It took too long.')
    expect(causeTitle({ state: 'failed', error: { code: 'new', message: '' } })).toBe('The call failed.')
    expect(remedy('needs_sign_in')).toBe('sign_in')
    expect(remedy('new')).toBe('again')
  })
})

it('shows no state of a call as an empty box, which looks like one to tick', () => {
  const icons = Object.values(callStates).map(({ icon }) => icon)
  expect(icons).not.toContain(Square)
})
