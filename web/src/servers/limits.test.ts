import { describe, expect, it } from 'vitest'
import { limitProblem, limitProblems, limitsOf, limitTexts, parseTime, type LimitName } from './limits'

describe('parseTime', () => {
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
    expect(parseTime(text)).toBe(want)
  })
})

describe('limitTexts', () => {
  it('are empty for the default', () => {
    const texts = limitTexts({ start_timeout_ms: 120_000, call_max_ms: 0, reconnect: { max_attempts: 20 } })
    expect(Object.values(texts).join('')).toBe('')
  })

  it.each([1, 250, 1500, 90_000, 5_400_000, 3_725_000, 86_400_000])('lose nothing of %d ms', (ms) => {
    const texts = limitTexts({ start_timeout_ms: ms, reconnect: { initial_ms: ms } })
    expect(limitsOf(texts)).toMatchObject({ start_timeout_ms: ms, reconnect: { initial_ms: ms } })
  })

  it.each([65_536, 1_000_000, 3 * 2 ** 20, 2 ** 30])('lose nothing of %d bytes', (size) => {
    expect(limitsOf(limitTexts({ max_message_bytes: size })).max_message_bytes).toBe(size)
  })

  it.each([
    [65_536, '64 KiB'],
    [32 * 2 ** 20, '32 MiB'],
    [1_000_000, '1000000 B'],
  ])('write %d bytes as %s', (size, want) => {
    expect(limitTexts({ max_message_bytes: size }).max_message_bytes).toBe(want)
  })
})

it.each<[LimitName, string, string]>([
  ['start_timeout_ms', '', ''],
  ['start_timeout_ms', '5 min', ''],
  ['start_timeout_ms', '5', 'such as 90 s'],
  ['start_timeout_ms', '0 s', 'default'],
  ['start_timeout_ms', '9000 h', 'At most 8760 h'],
  ['max_message_bytes', '1.5 MB', ''],
  ['max_message_bytes', '16', 'such as 16 MiB'],
  ['max_message_bytes', '4 s', 'such as 16 MiB'],
  ['max_message_bytes', '1 KiB', 'At least 64 KiB'],
  ['max_message_bytes', '2 GiB', 'At most 1 GiB'],
  ['reconnect_max_attempts', '8', ''],
  ['reconnect_max_attempts', '2.5', 'whole number'],
  ['reconnect_max_attempts', '0', 'default'],
])('%s %j: %s', (name, text, want) => {
  const problem = limitProblem(name, text)
  if (want === '') expect(problem).toBe('')
  else expect(problem).toContain(want)
})

it.each([
  ['', '100 ms', 'first wait, 0.5 s'],
  ['2 s', '1 s', 'first wait, 2 s'],
  ['2 min', '', undefined],
  ['2 s', '2 s', undefined],
])('a first wait of %j and a longest of %j: %s', (first, longest, want) => {
  const texts = { ...limitTexts({}), reconnect_initial_ms: first, reconnect_max_ms: longest }
  const problem = limitProblems(texts, []).reconnect_max_ms
  if (want === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(want)
})

it('asks for the default where a field is empty', () => {
  const empty = { ...limitTexts({}), call_timeout_ms: '30 s', call_max_ms: ' ' }
  expect(limitsOf(empty)).toEqual({
    start_timeout_ms: 0,
    call_timeout_ms: 30_000,
    call_max_ms: 0,
    elicitation_timeout_ms: 0,
    max_message_bytes: 0,
    sse_idle_timeout_ms: 0,
    reconnect: { initial_ms: 0, max_ms: 0, max_attempts: 0 },
  })
})
