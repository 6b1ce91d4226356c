import { describe, expect, it } from 'vitest'
import { limitProblem, limitsOf, limitText, parseLimit } from './limits'

describe('parseLimit', () => {
  it.each<[string, number | null]>([
    ['90 s', 90_000],
    ['90s', 90_000],
    ['2 min', 120_000],
    ['2 minutes', 120_000],
    ['1.5 min', 90_000],
    ['1,5 h', 5_400_000],
    ['1 h 30 min', 5_400_000],
    ['45 seconds', 45_000],
    ['250 ms', 250],
    ['90', null],
    ['soon', null],
    ['2 min or so', null],
    ['5 days', null],
    ['', null],
  ])('%j', (text, want) => {
    expect(parseLimit(text)).toBe(want)
  })
})

describe('limitText', () => {
  it('is empty for the default', () => {
    expect(limitText('start_timeout_ms', 120_000)).toBe('')
    expect(limitText('call_max_ms', 0)).toBe('')
  })

  it.each([1, 250, 1500, 90_000, 5_400_000, 3_725_000, 86_400_000])('loses nothing of %d ms', (ms) => {
    expect(parseLimit(limitText('start_timeout_ms', ms))).toBe(ms)
  })
})

it('says what a limit must look like', () => {
  expect(limitProblem('')).toBe('')
  expect(limitProblem('5 min')).toBe('')
  expect(limitProblem('5')).toContain('such as')
  expect(limitProblem('0 s')).toContain('default')
})

it('asks for the default where a field is empty', () => {
  const empty = {
    start_timeout_ms: '',
    call_timeout_ms: '30 s',
    call_max_ms: ' ',
    elicitation_timeout_ms: '',
  }
  expect(limitsOf(empty)).toEqual({
    start_timeout_ms: 0,
    call_timeout_ms: 30_000,
    call_max_ms: 0,
    elicitation_timeout_ms: 0,
  })
})
