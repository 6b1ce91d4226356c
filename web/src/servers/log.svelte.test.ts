import { expect, it, vi } from 'vitest'
import type { Api } from '../lib/api'
import type { LogEntry } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { ServerLog } from './log.svelte'

const line = (text: string): LogEntry => ({ at: '2026-11-30T10:00:00.000Z', tag: 'stderr', text })

function setUp(read: () => Promise<{ items: LogEntry[]; dropped: number }>) {
  let take: (event: { server: string; line: LogEntry }) => void = () => undefined
  const unsubscribe = vi.fn()
  const live = {
    on: (_: string, listener: typeof take) => {
      take = listener
      return () => undefined
    },
    subscribe: () => unsubscribe,
    onResync: () => () => undefined,
  }
  const log = new ServerLog({ get: read } as unknown as Api, live as unknown as Live, 'demo')
  const stop = log.watch()
  const texts = () => log.rows?.map(({ text }) => text)
  return {
    log,
    stop,
    texts,
    unsubscribe,
    comes: (text: string, server = 'demo') => take({ server, line: line(text) }),
  }
}

it('joins what it reads with what comes meanwhile', async () => {
  let answer: (page: { items: LogEntry[]; dropped: number }) => void = () => undefined
  const reading = new Promise<{ items: LogEntry[]; dropped: number }>((resolve) => (answer = resolve))
  const { log, texts, comes } = setUp(() => reading)
  comes('b')
  comes('c')
  answer({ items: [line('a'), line('b')], dropped: 7 })
  await vi.waitFor(() => expect(texts()).toEqual(['a', 'b', 'c']))
  comes('d')
  comes('of another', 'other')
  await vi.waitFor(() => expect(texts()).toEqual(['a', 'b', 'c', 'd']))
  expect(log.dropped).toBe(7)
})

it('holds lines back while paused', async () => {
  const { log, texts, comes } = setUp(() => Promise.resolve({ items: [], dropped: 0 }))
  await vi.waitFor(() => expect(texts()).toEqual([]))
  log.pause(true)
  comes('a')
  await vi.waitFor(() => expect(log.held).toHaveLength(1))
  expect(texts()).toEqual([])
  log.pause(false)
  expect(texts()).toEqual(['a'])
})

it('counts the lines that it lets go while paused', async () => {
  const { log, texts, comes } = setUp(() => Promise.resolve({ items: [], dropped: 0 }))
  await vi.waitFor(() => expect(texts()).toEqual([]))
  log.pause(true)
  for (let i = 0; i < 2003; i++) comes(String(i))
  await vi.waitFor(() => expect(log.held).toHaveLength(2000))
  expect(log.dropped).toBe(3)
  log.pause(false)
  expect([texts()?.[0], log.dropped]).toEqual(['3', 3])
})

it('counts the oldest lines that it lets go', async () => {
  const items = Array.from({ length: 2000 }, (_, i) => line(String(i)))
  const { log, texts, comes } = setUp(() => Promise.resolve({ items, dropped: 1 }))
  await vi.waitFor(() => expect(texts()).toHaveLength(2000))
  comes('new')
  await vi.waitFor(() => expect(texts()?.[0]).toBe('1'))
  expect(log.dropped).toBe(2)
})

it('stops watching', () => {
  const { stop, unsubscribe } = setUp(() => new Promise(() => undefined))
  stop()
  expect(unsubscribe).toHaveBeenCalledOnce()
})
