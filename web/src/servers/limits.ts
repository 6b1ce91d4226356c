// A server's time limits, typed as "90 s", "2 min" or "1 h".
import { duration } from '../lib/time'
import type { ServerConfig } from '../lib/wire'

export type LimitName = 'start_timeout_ms' | 'call_timeout_ms' | 'call_max_ms' | 'elicitation_timeout_ms'

interface Limit {
  label: string
  help: string
  /** What the server takes when none is given (internal/model). */
  fallback: number
}

const minute = 60_000

export const limits: Record<LimitName, Limit> = {
  start_timeout_ms: {
    label: 'To get ready',
    help: 'From start until its tools are listed.',
    fallback: 2 * minute,
  },
  call_timeout_ms: {
    label: 'Without a sign of life',
    help: 'A call that is silent for longer is given up. Progress is a sign of life.',
    fallback: 2 * minute,
  },
  call_max_ms: {
    label: 'For a whole call',
    help: 'Even when it shows signs of life.',
    fallback: 60 * minute,
  },
  elicitation_timeout_ms: {
    label: 'For your answer',
    help: 'How long a question waits in the inbox. The call’s own clocks stand still meanwhile.',
    fallback: 5 * minute,
  },
}

export const limitNames = Object.keys(limits) as LimitName[]

const units: Record<string, number> = { ms: 1, s: 1000, sec: 1000, m: minute, min: minute, h: 60 * minute }

/** Milliseconds of a length such as "90 s", "1.5 min" or "1 h 30 min"; null when it is none. */
export function parseLimit(text: string): number | null {
  const parts = [
    ...text
      .trim()
      .toLowerCase()
      .matchAll(/(\d+(?:[.,]\d+)?)\s*([a-z]+)\s*/gy),
  ]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text.trim().toLowerCase()) return null
  let sum = 0
  for (const [, count = '', name = ''] of parts) {
    const unit = units[name] ?? units[name.replace(/(ond|ute|our)?s?$/, '')]
    if (unit === undefined) return null
    sum += Number(count.replace(',', '.')) * unit
  }
  return Math.round(sum)
}

/** What a limit's field holds: "" for the default. */
export function limitText(name: LimitName, ms: number): string {
  return ms === 0 || ms === limits[name].fallback ? '' : exactly(ms)
}

/** Why the text can't be a limit, or "". */
export function limitProblem(text: string): string {
  if (text.trim() === '') return ''
  const ms = parseLimit(text)
  if (ms === null) return 'Write a length of time, such as 90 s, 5 min or 1 h.'
  return ms < 1 ? 'Leave it empty for the default, or write more than nothing.' : ''
}

/** The limits of a configuration; 0 asks for the default. */
export function limitsOf(texts: Record<LimitName, string>): Pick<ServerConfig, LimitName> {
  return Object.fromEntries(limitNames.map((name) => [name, parseLimit(texts[name]) ?? 0]))
}

/** Like duration, without rounding anything away. */
function exactly(ms: number): string {
  if (ms % 1000 !== 0) return `${ms} ms`
  return parseLimit(duration(ms)) === ms ? duration(ms) : `${ms / 1000} s`
}
