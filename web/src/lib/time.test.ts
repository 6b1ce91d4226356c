import { describe, expect, it } from 'vitest'
import { ago, clock, date, duration, left, since } from './time'

const now = new Date(2026, 10, 30, 14, 6, 0).getTime()
const before = (ms: number) => now - ms

describe('ago', () => {
  it.each([
    [0, 'now'],
    [4_999, 'now'],
    [5_000, '5 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_599_999, '59 min ago'],
    [3_600_000, '1 h ago'],
    [86_399_999, '23 h ago'],
  ])('%d ms back', (ms, want) => {
    expect(ago(before(ms), now)).toBe(want)
  })

  it('is exact beyond a day, with the year once it is another', () => {
    expect(ago(before(86_400_000), now)).not.toMatch(/ago|2026/)
    expect(ago(new Date(2025, 1, 3), now)).toMatch(/2025/)
  })

  it('takes a clock that runs a little ahead for now', () => {
    expect(since(now + 2_000, now)).toBe('now')
  })
})

it.each([
  ['en-GB', '14:06', '30 Nov', '30 Nov 2026'],
  ['de', '14:06', '30. Nov.', '30. Nov. 2026'],
  ['en-US', '2:06 PM', 'Nov 30', 'Nov 30, 2026'],
])('times and days are written as in %s', (locale, time, day, longAgo) => {
  const at = new Date(2026, 10, 30, 14, 6)
  expect(clock(at, locale).replace(/\s/u, ' ')).toBe(time)
  expect(date(at, now, { locale })).toBe(day)
  expect(date(at, new Date(2027, 0, 1).getTime(), { locale })).toBe(longAgo)
})

describe('left', () => {
  it.each([
    [-1, ''],
    [0, ''],
    [11_500, '12 s left'],
    [60_000, '1 min left'],
    [300_900, '5 min left'],
    [48.5 * 60_000, '49 min left'],
    [2.5 * 3_600_000, '2 h left'],
  ])('%d ms before the deadline', (ms, want) => {
    expect(left(now + ms, now)).toBe(want)
  })
})

describe('duration', () => {
  it.each([
    [2.4, '2 ms'],
    [420, '0.42 s'],
    [1_040, '1.0 s'],
    [31_000, '31 s'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%d ms', (ms, want) => {
    expect(duration(ms)).toBe(want)
  })
})
