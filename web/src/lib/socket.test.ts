import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Socket, socketUrl, type News, type SocketStatus } from './socket'

class FakeSocket {
  readyState: number = WebSocket.OPEN
  sent: unknown[] = []
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  constructor(readonly url: string) {}
  send(data: string) {
    this.sent.push(JSON.parse(data))
  }
  close() {
    this.readyState = WebSocket.CLOSED
    this.onclose?.()
  }
  get(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

function setUp() {
  const opened: FakeSocket[] = []
  const events: News[] = []
  const statuses: SocketStatus[] = []
  const onResync = vi.fn()
  const onVersion = vi.fn()
  const socket = new Socket({
    url: 'ws://kontor.test/api/ws',
    onEvent: (event) => events.push(event),
    onStatus: (status) => statuses.push(status),
    onResync,
    onVersion,
    open: (url) => {
      const fake = new FakeSocket(url)
      opened.push(fake)
      return fake as unknown as WebSocket
    },
    jitter: () => 1,
  })
  socket.start()
  const last = () => opened[opened.length - 1] as FakeSocket
  return { socket, opened, last, events, statuses, onResync, onVersion }
}

const hello = (epoch: string, seq: number) => ({ type: 'hello', epoch, seq, build: '1.0' })
const changed = (seq: number) => ({ type: 'settings_changed', seq, at: '2026-11-30T14:00:00.000Z' })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('reads everything after the first hello, then takes events', () => {
  const { last, events, onResync, onVersion, statuses } = setUp()
  expect(last().url).toBe('ws://kontor.test/api/ws')
  last().get(hello('e', 4))
  expect(onResync).toHaveBeenCalledOnce()
  expect(onVersion).toHaveBeenCalledWith('1.0')
  last().get(changed(5))
  expect(events).toHaveLength(1)
  expect(statuses.map((s) => s.state)).toEqual(['connecting', 'live'])
})

it('resumes where it was, and takes each event once', () => {
  const { last, opened, events, onResync } = setUp()
  last().get(hello('e', 4))
  last().get(changed(5))
  last().close()
  vi.advanceTimersByTime(500)
  expect(opened).toHaveLength(2)
  expect(last().url).toBe('ws://kontor.test/api/ws?since=e%3A5')
  last().get(hello('e', 7))
  last().get(changed(5))
  last().get(changed(6))
  last().get(changed(7))
  expect(events).toHaveLength(3)
  expect(onResync).toHaveBeenCalledOnce()
})

it('reads everything again after a restart of the server, a resync, or a gap', () => {
  const { last, events, onResync } = setUp()
  last().get(hello('e', 4))
  last().close()
  vi.advanceTimersByTime(500)
  last().get(hello('other', 0))
  expect(onResync).toHaveBeenCalledTimes(2)
  last().get({ type: 'resync', epoch: 'other', seq: 10 })
  expect(onResync).toHaveBeenCalledTimes(3)
  last().get(changed(11))
  last().get(changed(13))
  expect(onResync).toHaveBeenCalledTimes(4)
  expect(events).toHaveLength(2)
})

it('waits longer after each failure, up to a limit, and starts over once it was live', () => {
  const { last, statuses } = setUp()
  const waits: number[] = []
  for (let i = 0; i < 7; i++) {
    last().close()
    const status = statuses[statuses.length - 1]
    if (status?.state === 'offline') waits.push(status.retryAt - Date.now())
    vi.runOnlyPendingTimers()
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000])
  last().get(hello('e', 0))
  last().close()
  expect(statuses[statuses.length - 1]).toEqual({ state: 'offline', retryAt: Date.now() + 500 })
})

it('gives up a connection that never says hello', () => {
  const { last, statuses } = setUp()
  vi.advanceTimersByTime(10_000)
  expect(last().readyState).toBe(WebSocket.CLOSED)
  expect(statuses[statuses.length - 1]?.state).toBe('offline')
})

it('tries at once when asked, and not at all after stop', () => {
  const { socket, last, opened } = setUp()
  last().close()
  socket.retry()
  expect(opened).toHaveLength(2)
  socket.stop()
  vi.advanceTimersByTime(60_000)
  expect(opened).toHaveLength(2)
})

it('asks for log lines once for all who want them, and again after a break', () => {
  const { socket, last } = setUp()
  last().get(hello('e', 0))
  const first = socket.subscribe('log', 'demo')
  const second = socket.subscribe('log', 'demo')
  const ask = { type: 'subscribe', topic: 'log', server: 'demo' }
  expect(last().sent).toEqual([ask])
  last().close()
  vi.advanceTimersByTime(500)
  last().get(hello('e', 0))
  expect(last().sent).toEqual([ask])
  first()
  first()
  expect(last().sent).toHaveLength(1)
  second()
  expect(last().sent[1]).toEqual({ ...ask, type: 'unsubscribe' })
})

it('speaks wss on an https page', () => {
  expect(socketUrl({ protocol: 'https:', host: 'k.example' })).toBe('wss://k.example/api/ws')
  expect(socketUrl({ protocol: 'http:', host: 'localhost:8787' })).toBe('ws://localhost:8787/api/ws')
})
