// The lines of a server's log: which are shown, how they look, and how what comes
// live joins what was read.
import type { LogEntry } from '../lib/wire'

/** A line with an id that tells it from one that says the same. */
export interface LogRow extends LogEntry {
  id: number
}

export type LogFilter = 'all' | 'stderr' | 'messages' | 'kontor' | 'trouble'

const troubled = /^(warning|error|critical|alert|emergency|not_protocol)$/

export const logFilters: Record<LogFilter, { label: string; has: (tag: string) => boolean }> = {
  all: { label: 'All', has: () => true },
  stderr: { label: 'stderr', has: (tag) => tag === 'stderr' },
  messages: { label: 'Log messages', has: (tag) => !/^(stderr|lifecycle|not_protocol)$/.test(tag) },
  kontor: { label: 'Kontor', has: (tag) => /^(lifecycle|not_protocol)$/.test(tag) },
  trouble: { label: 'Warnings and errors', has: (tag) => troubled.test(tag) },
}

export const logFilterNames = Object.keys(logFilters) as LogFilter[]

/** The tag as a person reads it. */
export function tagWord(tag: string): string {
  return { lifecycle: 'kontor', not_protocol: 'not MCP' }[tag] ?? tag
}

export type LogTone = '' | 'info' | 'warn' | 'bad'

export function logTone(tag: string): LogTone {
  if (/^(error|critical|alert|emergency)$/.test(tag)) return 'bad'
  if (/^(warning|not_protocol)$/.test(tag)) return 'warn'
  return /^(info|notice|lifecycle)$/.test(tag) ? 'info' : ''
}

/** The rows that pass, newest first. */
export function shownRows(rows: readonly LogRow[], filter: LogFilter, search: string): LogRow[] {
  const text = search.trim().toLowerCase()
  return rows
    .filter(
      (row) => logFilters[filter].has(row.tag) && (text === '' || row.text.toLowerCase().includes(text)),
    )
    .reverse()
}

/**
 * What was read, followed by what came live in the meantime. A live line that the
 * answer holds already is in it once.
 */
export function joinLines(read: readonly LogEntry[], live: readonly LogEntry[]): LogEntry[] {
  const have = new Map<string, number>()
  for (const line of read) have.set(key(line), (have.get(key(line)) ?? 0) + 1)
  const fresh = live.filter((line) => {
    const left = have.get(key(line)) ?? 0
    have.set(key(line), left - 1)
    return left <= 0
  })
  return [...read, ...fresh]
}

function key({ at, tag, text }: LogEntry): string {
  return `${at} ${tag} ${text}`
}
