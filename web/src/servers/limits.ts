// A server's limits as a person types them: "90 s", "16 MiB", "20".
import { duration } from '../lib/time'
import type { ServerConfig } from '../lib/wire'
import { parseSize, sizeText } from './sizes'

const timeLimits = ['start_timeout_ms', 'call_timeout_ms', 'call_max_ms', 'elicitation_timeout_ms'] as const
const advancedLimits = [
  'max_message_bytes',
  'sse_idle_timeout_ms',
  'reconnect_initial_ms',
  'reconnect_max_ms',
  'reconnect_max_attempts',
] as const

export type LimitName = (typeof timeLimits)[number] | (typeof advancedLimits)[number]
/** What is typed; "" for the default. */
export type LimitTexts = Record<LimitName, string>

interface Limit {
  label: string
  help: string
  kind: keyof typeof kinds
  /** What the server takes when none is given (internal/model). */
  fallback: number
  /** Bounds of what is taken; a kind has its own where these are left out. */
  least?: number
  most?: number
  /** Means something to a server at an address only. */
  httpOnly?: boolean
}

const minute = 60_000

export const limits: Record<LimitName, Limit> = {
  start_timeout_ms: {
    label: 'To get ready',
    help: 'From start until its tools are listed.',
    kind: 'time',
    fallback: 2 * minute,
  },
  call_timeout_ms: {
    label: 'Without a sign of life',
    help: 'A call that is silent for longer is given up. Progress is a sign of life.',
    kind: 'time',
    fallback: 2 * minute,
  },
  call_max_ms: {
    label: 'For a whole call',
    help: 'Even when it shows signs of life.',
    kind: 'time',
    fallback: 60 * minute,
  },
  elicitation_timeout_ms: {
    label: 'For your answer',
    help: 'How long a question waits in the inbox. The call’s own clocks stand still meanwhile.',
    kind: 'time',
    fallback: 5 * minute,
  },
  max_message_bytes: {
    label: 'Largest message',
    help: 'A larger one is refused, and the call that it answers fails.',
    kind: 'size',
    fallback: 16 * 2 ** 20,
    least: 64 * 2 ** 10,
    most: 2 ** 30,
  },
  sse_idle_timeout_ms: {
    label: 'Silence of a stream',
    help: 'Where the server sends signs of life at all, a stream without them is opened again.',
    kind: 'time',
    fallback: minute,
    httpOnly: true,
  },
  reconnect_initial_ms: {
    label: 'First wait before it is tried again',
    help: 'Doubled after each failure.',
    kind: 'time',
    fallback: 500,
  },
  reconnect_max_ms: { label: 'Longest wait', help: '', kind: 'time', fallback: minute / 2 },
  reconnect_max_attempts: {
    label: 'Tries in a row',
    help: 'Then Kontor waits for you, or for the next call.',
    kind: 'count',
    fallback: 20,
  },
}

/** The limits that a server of this transport has, as the form groups them. */
export function limitGroups(transport: 'stdio' | 'http'): Record<'time' | 'advanced', LimitName[]> {
  const fits = (name: LimitName) => transport === 'http' || !limits[name].httpOnly
  return { time: timeLimits.filter(fits), advanced: advancedLimits.filter(fits) }
}

export const limitNames: readonly LimitName[] = [...timeLimits, ...advancedLimits]

interface Kind {
  /** null when the text is none. */
  parse: (text: string) => number | null
  /** Loses nothing. */
  text: (value: number) => string
  example: string
  most: number
}

// A year is far below where milliseconds as nanoseconds would overflow (292 years).
const kinds = {
  time: {
    parse: parseTime,
    text: timeText,
    example: 'a length of time, such as 90 s, 5 min or 1 h',
    most: 365 * 24 * 60 * minute,
  },
  size: { parse: parseSize, text: sizeText, example: 'a size, such as 16 MiB', most: 2 ** 40 },
  count: {
    parse: (text) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null),
    text: String,
    example: 'a whole number, such as 20',
    most: 1_000_000,
  },
} as const satisfies Record<string, Kind>

const units: Record<string, number> = { ms: 1, s: 1000, sec: 1000, m: minute, min: minute, h: 60 * minute }

/** Milliseconds of a length such as "90 s", "1.5 min" or "1 h 30 min"; null when it is none. */
export function parseTime(text: string): number | null {
  const whole = text.trim().toLowerCase()
  const parts = [...whole.matchAll(/(\d+(?:[.,]\d+)?)\s*([a-z]+)\s*/gy)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== whole) return null
  let sum = 0
  for (const [, count = '', name = ''] of parts) {
    const unit = units[name] ?? units[name.replace(/(ond|ute|our)?s?$/, '')]
    if (unit === undefined) return null
    sum += Number(count.replace(',', '.')) * unit
  }
  return Math.round(sum)
}

/** A value as a person reads it, without rounding anything away. */
export function limitWords(name: LimitName, value: number): string {
  return kinds[limits[name].kind].text(value)
}

/** What the fields hold for a configuration: "" for a default. */
export function limitTexts(config: ServerConfig): LimitTexts {
  const text = (name: LimitName) => {
    const value = limitOf(config, name)
    return value === 0 || value === limits[name].fallback ? '' : limitWords(name, value)
  }
  return Object.fromEntries(limitNames.map((name) => [name, text(name)])) as LimitTexts
}

/** What a configuration sets; 0 for the default. */
export function limitOf(config: ServerConfig, name: LimitName): number {
  const { initial_ms = 0, max_ms = 0, max_attempts = 0 } = config.reconnect ?? {}
  switch (name) {
    case 'reconnect_initial_ms':
      return initial_ms
    case 'reconnect_max_ms':
      return max_ms
    case 'reconnect_max_attempts':
      return max_attempts
    default:
      return config[name] ?? 0
  }
}

/** The limits of a configuration; 0 asks for the default. */
export function limitsOf(texts: LimitTexts): Partial<ServerConfig> {
  const value = (name: LimitName) => kinds[limits[name].kind].parse(texts[name]) ?? 0
  const plain = limitNames.filter((name) => !name.startsWith('reconnect_'))
  return {
    ...Object.fromEntries(plain.map((name) => [name, value(name)])),
    reconnect: {
      initial_ms: value('reconnect_initial_ms'),
      max_ms: value('reconnect_max_ms'),
      max_attempts: value('reconnect_max_attempts'),
    },
  }
}

/** Why the texts can't be these limits, by name. */
export function limitProblems(
  texts: LimitTexts,
  names: readonly LimitName[],
): Partial<Record<LimitName, string>> {
  const problems: Partial<Record<LimitName, string>> = {}
  for (const name of names) {
    const problem = limitProblem(name, texts[name])
    if (problem) problems[name] = problem
  }
  const longest = parseTime(texts.reconnect_max_ms)
  const first = parseTime(texts.reconnect_initial_ms) ?? limits.reconnect_initial_ms.fallback
  if (longest !== null && longest < first)
    problems.reconnect_max_ms ??= `It can’t be shorter than the first wait, ${timeText(first)}.`
  return problems
}

/** Why the text can't be the limit, or "". */
export function limitProblem(name: LimitName, text: string): string {
  if (text.trim() === '') return ''
  const { kind, least = 1, most = kinds[kind].most } = limits[name]
  const value = kinds[kind].parse(text)
  if (value === null) return `Write ${kinds[kind].example}.`
  if (value < 1) return 'Leave it empty for the default, or write more than nothing.'
  if (value < least) return `At least ${limitWords(name, least)}.`
  return value > most ? `At most ${limitWords(name, most)}.` : ''
}

/** Like duration, without rounding anything away. */
function timeText(ms: number): string {
  if (ms >= minute && parseTime(duration(ms)) === ms) return duration(ms)
  return ms % 100 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
