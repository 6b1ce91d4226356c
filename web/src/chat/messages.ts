// The messages of a chat or of a sub-agent, oldest first, without gaps. Ids sort by time.
import type { Message, Part } from '../lib/wire'

/** With a message that is new, or that is known better now. */
export function withMessage(list: readonly Message[], message: Message): readonly Message[] {
  // Nearly all of them are the latest.
  let at = list.length
  while (at > 0 && (list[at - 1] as Message).id > message.id) at--
  const known = list[at - 1]?.id === message.id
  return [...list.slice(0, known ? at - 1 : at), message, ...list.slice(at)]
}

/** Without the messages from one on: another takes their place. */
export function without(list: readonly Message[], from: string): readonly Message[] {
  return list.filter(({ id }) => id < from)
}

/** With an older page, which comes latest first. */
export function withOlder(list: readonly Message[], page: readonly Message[]): readonly Message[] {
  const first = list[0]?.id
  const older = page.filter(({ id }) => first === undefined || id < first)
  return [...older.reverse(), ...list]
}

/**
 * What is known after the latest page was read anew, and whether what was known before it
 * stays. It does when the page begins with a message that was shown: were one before it
 * replaced meanwhile, so were that one. Otherwise messages may be missing in between.
 */
export function reread(
  list: readonly Message[],
  page: readonly Message[],
): { list: readonly Message[]; joined: boolean } {
  const latest = [...page].reverse()
  const first = latest[0]?.id
  const at = list.findIndex(({ id }) => id === first)
  if (at < 0) return { list: latest, joined: false }
  return { list: [...list.slice(0, at), ...latest], joined: true }
}

/**
 * What each tool_use got, by `useKey`. The ids that models give their calls may repeat: a result
 * belongs to the last answer before it that has one of its id.
 */
export function resultsOf(list: readonly Message[]): ReadonlyMap<string, Part> {
  const results = new Map<string, Part>()
  const asked = new Map<string, string>()
  for (const { id, role, parts } of list) {
    for (const part of parts) {
      if (!part.use_id) continue
      if (role === 'assistant') asked.set(part.use_id, id)
      else if (role === 'tool') results.set(useKey(asked.get(part.use_id) ?? '', part.use_id), part)
    }
  }
  return results
}

export function useKey(messageId: string, useId = ''): string {
  return `${messageId}/${useId}`
}

export interface Chunk {
  /** Stays the same whatever is loaded before or behind it. */
  key: number
  rows: readonly Message[]
}

/** How many messages are drawn, or not, together. */
const chunkSize = 16

/**
 * The messages that have a place of their own (results stand at their calls), in chunks.
 * They are counted from `origin`, one of them, so that a page before it moves none to
 * another chunk.
 */
export function chunksOf(list: readonly Message[], origin: string): readonly Chunk[] {
  const rows = list.filter(({ role }) => role !== 'tool')
  const zero = rows.findIndex(({ id }) => id >= origin)
  const chunks: { key: number; rows: Message[] }[] = []
  rows.forEach((row, i) => {
    const key = Math.floor((i - Math.max(0, zero)) / chunkSize)
    const last = chunks.at(-1)
    if (last?.key === key) last.rows.push(row)
    else chunks.push({ key, rows: [row] })
  })
  return chunks
}
