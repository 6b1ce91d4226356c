// Calls as a timeline: by day, searched, and counted by the hour.
import { isBad, ranFor } from '../card/words'
import { date } from '../lib/time'
import type { Call } from '../lib/wire'

/** "Today, 30 November", "Yesterday, 29 November", "28 November 2025"; the day as the person writes it. */
export function dayTitle(at: string | number, now: number, locale?: string): string {
  const words = date(at, now, { month: 'long', locale })
  const days = daysBetween(new Date(at), new Date(now))
  if (days === 0) return `Today, ${words}`
  return days === 1 ? `Yesterday, ${words}` : words
}

function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  // Rounded: a day on which the clocks change has 23 or 25 hours.
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

export interface Day<T> {
  title: string
  items: T[]
}

/** Entries, newest first, with the day above each of its first. */
export function byDay<T extends { call: Call }>(entries: readonly T[], now: number): Day<T>[] {
  const days: Day<T>[] = []
  for (const entry of entries) {
    const title = dayTitle(entry.call.started_at, now)
    const last = days.at(-1)
    if (last?.title === title) last.items.push(entry)
    else days.push({ title, items: [entry] })
  }
  return days
}

export interface Hour {
  /** When it begins, in ms. */
  at: number
  calls: number
  bad: number
}

const hour = 3_600_000

/** The hours up to now, oldest first; whole, of the clock. */
export function perHour(calls: readonly Call[], now: number, count = 24): Hour[] {
  const first = Math.floor(now / hour) * hour - (count - 1) * hour
  const hours = Array.from({ length: count }, (_, i) => ({ at: first + i * hour, calls: 0, bad: 0 }))
  for (const call of calls) {
    const slot = hours[Math.floor((new Date(call.started_at).getTime() - first) / hour)]
    if (!slot) continue
    slot.calls++
    if (isBad(call)) slot.bad++
  }
  return hours
}

/** A round figure for the top of a chart: 1, 2, 5, 10, 20, 50, … */
export function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most
}

export interface Slow {
  name: string
  server: string
  ms: number
  runs: number
}

export interface Slowest {
  tools: Slow[]
  /** How many calls were measured: those that were answered. */
  of: number
}

/** The tools whose answered calls take longest: the 95th percentile of each. */
export function slowest(calls: readonly Call[], count = 4): Slowest {
  const times = new Map<string, { server: string; all: number[] }>()
  let of = 0
  for (const call of calls) {
    const { name, server } = call
    if (call.state !== 'done' || call.ended_at === null) continue
    const known = times.get(name) ?? { server, all: [] }
    known.all.push(ranFor(call))
    times.set(name, known)
    of++
  }
  const tools = [...times]
    .map(([name, { server, all }]) => ({ name, server, ms: percentile(all, 0.95), runs: all.length }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
  return { tools, of }
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0
}
