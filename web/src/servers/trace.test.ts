import { expect, it } from 'vitest'
import type { TraceEntry } from '../lib/wire'
import { exchanges, found, joined, readMessage, sides, type Message } from './trace'
import { lookOf } from './traceLook'

let now = 0

function entry(seq: number, over: Partial<TraceEntry> = {}): TraceEntry {
  return {
    seq,
    at: new Date(Date.UTC(2026, 10, 30, 10) + now++).toISOString(),
    dir: 'out',
    kind: 'request',
    method: 'tools/call',
    id: seq,
    bytes: 2,
    ms: null,
    pair: null,
    call_id: '',
    body: '{}',
    cut: false,
    ...over,
  }
}

const request = (seq: number, over: Partial<TraceEntry> = {}) => entry(seq, over)
const answer = (seq: number, pair: number, over: Partial<TraceEntry> = {}) =>
  entry(seq, { dir: 'in', kind: 'response', pair, ms: 1.5, body: '{"result":{}}', ...over })
const progress = (seq: number, call: string) =>
  entry(seq, { dir: 'in', kind: 'notification', method: 'notifications/progress', id: null, call_id: call })

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error(`nothing at ${index}`)
  return item
}

const lines = (entries: TraceEntry[], byCall = false) =>
  exchanges(joined([], entries), byCall).map(({ messages }) => messages.map(({ seq }) => seq))

it('puts an answer on the line of its request, newest lines first', () => {
  const all = [
    request(1),
    entry(2, { kind: 'notification', dir: 'in', id: null }),
    request(3),
    answer(4, 1),
    request(5, { dir: 'in' }),
    answer(6, 5, { dir: 'out' }),
    answer(7, 99), // its request is kept no more
  ]
  expect(lines(all)).toEqual([[7], [5, 6], [3], [2], [1, 4]])
})

it('groups what belongs to a call, over several rounds', () => {
  const call = { call_id: 'c' }
  const all = [
    request(1, call),
    request(2, { call_id: 'other' }),
    answer(3, 1, { ...call, body: '{"result":{"resultType":"input_required"}}' }),
    request(4, call),
    progress(5, 'c'),
    progress(6, 'c'),
    answer(7, 4, call),
  ]
  expect(lines(all)).toEqual([[6], [5], [4, 7], [2], [1, 3]])
  expect(lines(all, true)).toEqual([[2], [1, 3, 4, 5, 6, 7]])
  const grouped = at(exchanges(joined([], all), true), 1)
  expect(grouped.answer?.seq).toBe(7)
  expect(grouped.took).toBe(Date.parse(at(all, 6).at) - Date.parse(at(all, 0).at))
  const { sent, received } = sides(grouped)
  expect(sent.map(({ message }) => message.seq)).toEqual([1, 4])
  expect(received.map(({ message, of }) => [message.seq, of])).toEqual([
    [3, 1],
    [6, 2],
    [7, 1],
  ])
  // While the second round is out, the answer to the first one is none.
  expect(lookOf(at(exchanges(joined([], all.slice(0, 4)), true), 1)).word).toBe('no answer yet')
})

it('says how it ended', () => {
  const ended = (body: string, over: Partial<TraceEntry> = {}) =>
    lookOf(at(exchanges(joined([], [request(1), answer(2, 1, { body, ...over })]), false), 0)).word
  expect(ended('{"result":{}}')).toBe('answered')
  expect(ended('{"error":{"code":-1,"message":"no"}}')).toBe('error')
  expect(ended('{"error":null,"result":{"isError":true}}')).toBe('isError')
  expect(ended('{"result":{"resultType":"input_required"}}')).toBe('asks for input')
  expect(ended('{"result":{"te', { cut: true })).toBe('answered')
  expect(ended('(90 bytes with what a person answered are not kept)')).toBe('answered')
  expect(lookOf(at(exchanges(joined([], [request(1)]), false), 0)).waiting).toBe('in')
  expect(lookOf(at(exchanges(joined([], [request(1, { dir: 'in' })]), false), 0)).waiting).toBe('out')
})

it('ends a request that no answer came to, until one comes late', () => {
  const given = answer(2, 1, { kind: 'unanswered', body: 'nothing listens there (connection refused)' })
  const [line] = exchanges(joined([], [request(1), given]), false)
  expect(line?.answer?.body).toContain('connection refused')
  expect(line && lookOf(line)).toMatchObject({ word: 'no answer', waiting: '' })
  const late = exchanges(joined(joined([], [request(1), given]), [answer(3, 1)]), false)
  expect(late.map((exchange) => [exchange.answer?.seq, lookOf(exchange).word])).toEqual([[3, 'answered']])
})

it('names what a message is about', () => {
  const about = (body: string) => readMessage(request(1, { body })).about
  expect(about('{"params":{"name":"query","arguments":{}}}')).toBe('query')
  expect(about('{"params":{"uri":"file:///a"}}')).toBe('file:///a')
  expect(about('{"params":{"ref":{"type":"ref/prompt","name":"p"}}}')).toBe('p')
  expect(about('{"params":{"protocolVersion":"2025-11-25"}}')).toBe('2025-11-25')
  expect(about('{"params":{"name":7}}')).toBe('')
  expect(about('[1')).toBe('')
})

it('finds text anywhere in an exchange, and hides pings', () => {
  const all = exchanges(
    joined(
      [],
      [
        request(1, { body: '{"params":{"name":"Query"}}', call_id: 'c1' }),
        answer(2, 1, { body: '{"result":"Zürich"}', call_id: 'c1' }),
        request(3, { method: 'ping' }),
      ],
    ),
    false,
  )
  const ids = (search: string, pings = true) => found(all, search, pings).map(({ id }) => id)
  expect(ids('')).toEqual([3, 1])
  expect(ids('', false)).toEqual([1])
  expect(ids(' query ')).toEqual([1])
  expect(ids('zürich')).toEqual([1])
  expect(ids('c1')).toEqual([1])
  expect(ids('PING')).toEqual([3])
  expect(ids('nothing')).toEqual([])
})

it('joins live messages in the order of their numbers, each once', () => {
  const have = joined([], [request(1), request(2)])
  const next = joined(have, [answer(4, 1), request(3), request(2)])
  expect(next.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(next[0]).toMatchObject<Partial<Message>>({ pair: 4, ms: 1.5 })
  expect(next[1]?.pair).toBeNull()
})
