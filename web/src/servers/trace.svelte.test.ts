import { expect, it, vi } from 'vitest'
import type { Api } from '../lib/api'
import type { TraceEntry } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { ServerTrace } from './trace.svelte'

interface Page {
  items: TraceEntry[]
  dropped: number
}

const message = (seq: number): TraceEntry => ({
  seq,
  at: '2026-11-30T10:00:00.000Z',
  dir: 'out',
  kind: 'notification',
  method: 'm',
  id: null,
  bytes: 2,
  ms: null,
  pair: null,
  call_id: '',
  body: '{}',
  cut: false,
})

function setUp(read: () => Promise<Page>) {
  const listeners = new Map<string, (event: { server: string; line?: TraceEntry }) => void>()
  const unsubscribe = vi.fn()
  const live = {
    on: (type: string, listener: (event: { server: string; line?: TraceEntry }) => void) => {
      listeners.set(type, listener)
      return () => undefined
    },
    subscribe: () => unsubscribe,
    onResync: () => () => undefined,
  }
  const trace = new ServerTrace({ get: read } as unknown as Api, live as unknown as Live, 'demo')
  const stop = trace.watch()
  return {
    trace,
    stop,
    unsubscribe,
    seqs: () => trace.messages?.map(({ seq }) => seq),
    comes: (seq: number, server = 'demo') => listeners.get('trace_line')?.({ server, line: message(seq) }),
    missed: (server = 'demo') => listeners.get('trace_missed')?.({ server }),
  }
}

it('joins what it reads with what comes meanwhile', async () => {
  let reply: (page: Page) => void = () => undefined
  const { trace, seqs, comes } = setUp(() => new Promise((resolve) => (reply = resolve)))
  comes(2)
  comes(3)
  reply({ items: [message(1), message(2)], dropped: 7 })
  await vi.waitFor(() => expect(seqs()).toEqual([1, 2, 3]))
  comes(5)
  comes(4)
  comes(6, 'other')
  await vi.waitFor(() => expect(seqs()).toEqual([1, 2, 3, 4, 5]))
  expect(trace.dropped).toBe(7)
})

it('holds messages back while paused', async () => {
  const { trace, seqs, comes } = setUp(() => Promise.resolve({ items: [], dropped: 0 }))
  await vi.waitFor(() => expect(seqs()).toEqual([]))
  comes(1)
  trace.pause(true)
  expect(seqs()).toEqual([1])
  comes(2)
  await vi.waitFor(() => expect(trace.held).toHaveLength(1))
  expect(seqs()).toEqual([1])
  comes(3)
  trace.pause(false)
  expect(seqs()).toEqual([1, 2, 3])
})

it('reads again when some were missed, and counts what it lets go', async () => {
  const items = Array.from({ length: 1000 }, (_, i) => message(i + 1))
  const read = vi.fn(() => Promise.resolve({ items, dropped: 1 }))
  const { trace, seqs, comes, missed } = setUp(read)
  await vi.waitFor(() => expect(seqs()).toHaveLength(1000))
  comes(1001)
  await vi.waitFor(() => expect(seqs()?.[0]).toBe(2))
  expect(trace.dropped).toBe(2)
  missed('other')
  missed()
  expect(read).toHaveBeenCalledTimes(2)
})

it('stops watching', () => {
  const { stop, unsubscribe } = setUp(() => new Promise(() => undefined))
  stop()
  expect(unsubscribe).toHaveBeenCalledOnce()
})
