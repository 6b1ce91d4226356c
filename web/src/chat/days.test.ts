import { expect, it } from 'vitest'
import { byDay } from './days'

it('puts chats under their days, and those of long ago under months', () => {
  const now = new Date(2026, 10, 30, 14).getTime()
  const at = (...date: [number, number, number, number?]) => ({ updated_at: new Date(...date).toISOString() })
  const groups = byDay(
    [
      at(2026, 10, 30, 13),
      at(2026, 10, 30, 0),
      at(2026, 10, 29, 23),
      at(2026, 10, 26),
      at(2026, 10, 3),
      at(2025, 10, 3),
    ],
    now,
  )
  expect(groups.map(({ title, items }) => `${title} ${items.length}`)).toEqual([
    'Today 2',
    'Yesterday 1',
    'Thursday 1',
    'November 1',
    'November 2025 1',
  ])
})
