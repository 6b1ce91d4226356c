// The messages between Kontor and a server: which make up one line, how it looks,
// and how what comes live joins what was read.
import { isObject, parseJson, type Json } from '../lib/json'
import type { TraceEntry } from '../lib/wire'

/** How a message ends what it answers, or that it opens or tells something. */
export type Outcome = 'ok' | 'error' | 'tool-error' | 'asks' | 'unknown' | 'lost' | ''

/** A message, with what of its body the lines show. */
export interface Message extends TraceEntry {
  /** The tool, resource or prompt that it is about; what it says in a word. */
  about: string
  /** Of a response; "" for all else. */
  outcome: Outcome
}

/** What belongs together: a request with its answer, or all that belongs to one call. */
export interface Exchange {
  /** Stays the same while more comes. */
  id: number
  first: Message
  /** In order, the first one too. */
  messages: readonly Message[]
  /** The last answer (or why there is none) to the first message, or to the last request of the call. */
  answer: Message | null
  /** From the first message to the answer, in ms; null without one. */
  took: number | null
}

/** Reads what the lines show once, when the message comes. */
export function readMessage(entry: TraceEntry): Message {
  const body = bodyOf(entry)
  return { ...entry, about: aboutOf(body), outcome: isEnd(entry) ? outcomeOf(entry, body) : '' }
}

/** Whether it ends a request: by an answer, or by why none comes. */
const isEnd = ({ kind }: TraceEntry) => kind === 'response' || kind === 'unanswered'

/** The body as JSON; undefined when it was cut, left out, or is none. */
export function bodyOf({ body, cut }: TraceEntry): Json | undefined {
  if (cut) return undefined
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

function member(value: Json | undefined, ...path: string[]): Json | undefined {
  let at = value
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

function aboutOf(body: Json | undefined): string {
  const places = [
    ['params', 'name'],
    ['params', 'uri'],
    ['params', 'ref', 'name'],
    ['params', 'ref', 'uri'],
    ['params', 'protocolVersion'],
    ['params', 'message'],
    ['params', 'level'],
    ['params', 'reason'],
    ['error', 'message'],
  ]
  for (const place of places) {
    const value = member(body, ...place)
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

function outcomeOf(entry: TraceEntry, body: Json | undefined): Outcome {
  if (entry.kind === 'unanswered') return 'lost'
  // What a person answered is left out: it was an answer all the same.
  if (body === undefined) return entry.cut ? 'unknown' : 'ok'
  if (isObject(member(body, 'error'))) return 'error'
  if (member(body, 'result', 'isError') === true) return 'tool-error'
  return member(body, 'result', 'resultType') === 'input_required' ? 'asks' : 'ok'
}

/** The exchanges, newest first. Messages are in the order of their numbers. */
export function exchanges(messages: readonly Message[], byCall: boolean): Exchange[] {
  const groups = new Map<string, [Message, ...Message[]]>()
  for (const message of messages) {
    const key = keyOf(message, byCall)
    const group = groups.get(key)
    // Whoever's request was let go stands alone.
    if (group) group.push(message)
    else groups.set(key, [message])
  }
  return [...groups.values()].map(exchangeOf).sort((a, b) => b.id - a.id)
}

function keyOf(message: Message, byCall: boolean): string {
  if (byCall && message.call_id !== '') return `call ${message.call_id}`
  const request = isEnd(message) ? message.pair : message.seq
  return `seq ${request ?? message.seq}`
}

function exchangeOf(messages: readonly [Message, ...Message[]]): Exchange {
  const [first] = messages
  const asked = messages.findLast(({ kind, dir }) => kind === 'request' && dir === first.dir)
  // One that was given up may still be answered, later.
  const answer = messages.findLast((message) => isEnd(message) && (!asked || message.pair === asked.seq))
  const took = answer && asked ? Date.parse(answer.at) - Date.parse(first.at) : null
  return {
    id: first.seq,
    first,
    messages,
    answer: answer ?? null,
    // The server's own count is finer than the clock's milliseconds.
    took: asked === first ? (answer?.ms ?? null) : took,
  }
}

/** Whether the exchange is a mere sign of life. */
export function isPing({ first }: Exchange): boolean {
  return first.method === 'ping'
}

/** The exchanges that a search finds: a word of a method, a body, a tool or a call's id. */
export function found(all: readonly Exchange[], search: string, pings: boolean): Exchange[] {
  const text = search.trim().toLowerCase()
  const fits = ({ method, body, call_id }: Message) =>
    method.toLowerCase().includes(text) || body.toLowerCase().includes(text) || call_id.includes(text)
  return all.filter(
    (exchange) => (pings || !isPing(exchange)) && (text === '' || exchange.messages.some(fits)),
  )
}

/** A message to show, or the latest of many that tell progress. */
export interface Shown {
  message: Message
  /** How many it stands for. */
  of: number
}

/** The two sides of an exchange. Of progress only the latest is shown. */
export function sides({ messages }: Exchange): { sent: Shown[]; received: Shown[] } {
  const progress = messages.filter(isProgress)
  const latest = progress.at(-1)
  const shown = (dir: TraceEntry['dir']) =>
    messages
      .filter((message) => message.dir === dir && (!isProgress(message) || message === latest))
      .map((message) => ({ message, of: message === latest ? progress.length : 1 }))
  return { sent: shown('out'), received: shown('in') }
}

function isProgress({ method, dir }: Message): boolean {
  return method === 'notifications/progress' && dir === 'in'
}

/**
 * What is kept, joined by what is new, in the order of the numbers and each once. An
 * answer says which request it belongs to; the request learns it here.
 */
export function joined(have: readonly Message[], fresh: readonly TraceEntry[]): Message[] {
  const bySeq = new Map(have.map((message) => [message.seq, message]))
  for (const entry of fresh) bySeq.set(entry.seq, readMessage(entry))
  for (const entry of fresh) {
    const { seq, pair, ms } = entry
    const request = isEnd(entry) && pair !== null ? bySeq.get(pair) : undefined
    if (request && (request.pair ?? 0) < seq) bySeq.set(request.seq, { ...request, pair: seq, ms })
  }
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}
