// A message while it is being written. Its text comes in pieces that say where they belong,
// in bytes; pieces may come twice (an answer and the news cross each other), or be missed.
import { byteLength } from '../lib/bytes'
import type { EventOf, Message, Part } from '../lib/wire'

export type Delta = EventOf<'message_delta'>

export interface DraftPart extends Part {
  text: string
  /** How long the text is, as UTF-8. */
  bytes: number
}

export interface Draft {
  /** The id of the message that it becomes. */
  id: string
  parts: readonly DraftPart[]
}

/**
 * The draft with a piece more; the same draft when it has that piece already. null when
 * pieces before it are missing: the draft must be read.
 */
export function grown(draft: Draft | null, delta: Delta): Draft | null {
  const known = draft?.id === delta.message_id ? draft : null
  const parts = known?.parts ?? []
  const part = parts[delta.part]
  const bytes = part?.bytes ?? 0
  if (delta.offset > bytes || delta.part > parts.length) return null
  const added = behind(delta.text, bytes - delta.offset)
  if (known && part && added === '') return known
  const next: DraftPart = part
    ? { ...part, text: part.text + added, bytes: bytes + byteLength(added) }
    : {
        kind: delta.kind,
        text: added,
        bytes: byteLength(added),
        ...(delta.use_id && { use_id: delta.use_id }),
        ...(delta.name && { name: delta.name }),
        ...(delta.code && { code: delta.code }),
        ...(delta.until && { until: delta.until }),
      }
  return { id: delta.message_id, parts: part ? parts.with(delta.part, next) : [...parts, next] }
}

/** What was read of a draft, and what is known of it: of each part the longer one. */
export function fresher(known: Draft | null, read: Message): Draft {
  const parts = read.parts.map((part): DraftPart => ({ ...part, ...textOf(part) }))
  if (known?.id !== read.id) return { id: read.id, parts }
  const count = Math.max(parts.length, known.parts.length)
  return {
    id: read.id,
    parts: Array.from({ length: count }, (_, i) => longer(known.parts[i], parts[i])),
  }
}

function longer(a: DraftPart | undefined, b: DraftPart | undefined): DraftPart {
  if (!a || !b) return (a ?? b) as DraftPart
  return a.bytes > b.bytes ? a : b
}

function textOf({ text = '' }: Part): { text: string; bytes: number } {
  return { text, bytes: byteLength(text) }
}

/** The text without its first bytes. */
function behind(text: string, bytes: number): string {
  if (bytes === 0) return text
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(bytes))
}
