import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Live } from './live.svelte'

class FakeSocket {
  static last: FakeSocket
  readyState = 1
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  constructor() {
    FakeSocket.last = this
  }
  send() {
    // Nothing listens.
  }
  close() {
    this.onclose?.()
  }
  get(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const hello = { type: 'hello', epoch: 'e', seq: 0, build: '1.0' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Object.assign(FakeSocket, { OPEN: 1 }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('is offline from the first failure until it is live again, not while it starts', () => {
  const live = new Live('1.0')
  const stop = live.start()
  expect(live.offline).toBe(false)
  FakeSocket.last.get(hello)
  expect(live.status.state).toBe('live')
  FakeSocket.last.close()
  expect(live.offline).toBe(true)
  expect(live.lastLive).toBe(Date.now())
  vi.advanceTimersByTime(500)
  expect(live.status.state).toBe('connecting')
  expect(live.offline).toBe(true)
  FakeSocket.last.get(hello)
  expect(live.offline).toBe(false)
  stop()
})

it('knows when another version runs by now', () => {
  const live = new Live('1.0')
  const stop = live.start()
  FakeSocket.last.get(hello)
  expect(live.upgradedTo).toBe('')
  FakeSocket.last.close()
  vi.advanceTimersByTime(500)
  FakeSocket.last.get({ ...hello, epoch: 'other', build: '1.1' })
  expect(live.upgradedTo).toBe('1.1')
  stop()
})

it('hands out events by type, resyncs and failures, until told not to', () => {
  const live = new Live('1.0')
  const changed = vi.fn()
  const read = vi.fn()
  const check = vi.fn()
  const remove = live.on('catalogue_changed', changed)
  live.onResync(read)
  live.onFailure(check)
  const stop = live.start()
  FakeSocket.last.get(hello)
  expect(read).toHaveBeenCalledOnce()
  FakeSocket.last.get({ type: 'catalogue_changed', seq: 1, server: 'demo' })
  FakeSocket.last.get({ type: 'settings_changed', seq: 2 })
  remove()
  FakeSocket.last.get({ type: 'catalogue_changed', seq: 3, server: 'demo' })
  expect(changed).toHaveBeenCalledOnce()
  expect(changed).toHaveBeenCalledWith(expect.objectContaining({ server: 'demo' }))
  FakeSocket.last.close()
  expect(check).toHaveBeenCalledOnce()
  stop()
})

it('is quiet while it pauses, and goes on when told to', () => {
  const live = new Live('1.0')
  const check = vi.fn()
  const read = vi.fn()
  live.onFailure(check)
  live.onResync(read)
  const stop = live.start()
  FakeSocket.last.get(hello)
  const before = FakeSocket.last
  const goOn = live.pause()
  before.close()
  vi.advanceTimersByTime(60_000)
  expect(FakeSocket.last).toBe(before)
  expect(check).not.toHaveBeenCalled()
  goOn()
  FakeSocket.last.get({ ...hello, epoch: 'other' })
  expect(read).toHaveBeenCalledTimes(2)
  stop()
})
