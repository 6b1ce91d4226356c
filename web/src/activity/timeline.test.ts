import { describe, expect, it } from 'vitest'
import { aCall } from '../state/fake-call'
import { byDay, dayTitle, niceTop, perHour, slowest } from './timeline'

const now = new Date(2026, 10, 30, 14, 30).getTime()
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

describe('dayTitle', () => {
  it.each([
    [at(2026, 10, 30, 0, 0), 'Today, 30 November'],
    [at(2026, 10, 29, 23, 59), 'Yesterday, 29 November'],
    [at(2026, 10, 1, 12, 0), '1 November'],
    [at(2025, 10, 30, 12, 0), '30 November 2025'],
  ])('of %s', (when, want) => {
    expect(dayTitle(when, now, 'en-GB')).toBe(want)
  })

  it('is written as the person writes days', () => {
    expect(dayTitle(at(2026, 10, 30, 0, 0), now, 'en-US')).toBe('Today, November 30')
  })
})

it('groups entries by their day', () => {
  const entries = [at(2026, 10, 30, 9, 0), at(2026, 10, 30, 8, 0), at(2026, 10, 29, 8, 0)].map(
    (started_at) => ({
      call: aCall({ started_at }),
    }),
  )
  expect(byDay(entries, now).map((day) => [day.title.split(',')[0], day.items.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
  ])
})

it('counts calls and errors by the hour, and leaves out older ones', () => {
  const calls = [
    aCall({ started_at: at(2026, 10, 30, 14, 1), state: 'done' }),
    aCall({ started_at: at(2026, 10, 30, 14, 2), state: 'failed' }),
    aCall({ started_at: at(2026, 10, 30, 13, 59), state: 'done', is_error: true }),
    aCall({ started_at: at(2026, 10, 28, 14, 0) }),
  ]
  expect(perHour(calls, now, 2).map(({ calls: all, bad }) => [all, bad])).toEqual([
    [1, 1],
    [2, 1],
  ])
})

it.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [38, 50],
  [101, 200],
])('niceTop(%d) is %d', (most, want) => {
  expect(niceTop(most)).toBe(want)
})

it('ranks tools by the time that their settled calls take', () => {
  const started_at = at(2026, 10, 30, 14, 0)
  const run = (name: string, ms: number) =>
    aCall({
      name,
      state: 'done',
      started_at,
      ended_at: new Date(new Date(started_at).getTime() + ms).toISOString(),
    })
  const asked = { ...run('fast', 31_010), waited_ms: 31_000 }
  const calls = [run('fast', 10), asked, run('slow', 900), run('slow', 100), aCall({ name: 'open' })]
  const { tools, of } = slowest(calls)
  expect(tools.map(({ name, ms, runs }) => [name, ms, runs])).toEqual([
    ['slow', 900, 2],
    ['fast', 10, 2],
  ])
  expect(of).toBe(4)
})
