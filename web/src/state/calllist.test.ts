import { beforeEach, describe, expect, it } from 'vitest'
import { Api } from '../lib/api'
import type { Call } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import type { CallFilter, CallList } from './calllist.svelte'
import { CallsState } from './calls.svelte'
import { aCall } from './fake-call'

const at = (second: number) => `2026-11-30T14:00:${String(second).padStart(2, '0')}.000Z`
const numbered = (n: number, over: Partial<Call> = {}) =>
  aCall({ id: `c${n}`, started_at: at(n), state: 'done', ...over })

const nothing = () => undefined

/** Kontor, as far as lists of calls need it. */
class FakeServer {
  stored: Call[] = []
  requests: string[] = []
  listeners = new Map<string, (event: { call: Call }) => void>()
  resync: () => void = nothing
  readonly api = new Api({
    signedOut: nothing,
    fetch: (input) => {
      const url = new URL(String(input), 'http://x')
      this.requests.push(url.pathname + url.search)
      const from = Number(url.searchParams.get('cursor') ?? 0)
      const limit = Number(url.searchParams.get('limit'))
      const items = this.stored.slice(from, from + limit)
      const next = from + limit < this.stored.length ? String(from + limit) : null
      return Promise.resolve(new Response(JSON.stringify({ items, next })))
    },
  })
  readonly live = {
    on: (type: string, listener: (event: { call: Call }) => void) => {
      this.listeners.set(type, listener)
      return nothing
    },
    onResync: (read: () => void) => {
      this.resync = read
      return nothing
    },
  } as unknown as Live

  async list(filter?: CallFilter): Promise<CallList> {
    const list = new CallsState(this.api, this.live).list(filter, 2)
    list.start()
    await settled(list)
    return list
  }

  tell(type: string, call: Call) {
    this.listeners.get(type)?.({ call })
  }
}

async function settled(list: CallList) {
  while (list.loading) await new Promise((resolve) => setTimeout(resolve))
}

const ids = (list: CallList) => list.entries?.map(({ id }) => id)

describe('CallList', () => {
  let server: FakeServer
  beforeEach(() => {
    server = new FakeServer()
    server.stored = [numbered(3), numbered(2), numbered(1)]
  })

  it('reads page by page until there are no more', async () => {
    const list = await server.list()
    expect([ids(list), list.hasMore]).toEqual([['c3', 'c2'], true])
    await list.more()
    expect([ids(list), list.hasMore]).toEqual([['c3', 'c2', 'c1'], false])
  })

  it('asks for what the filter says', async () => {
    await server.list({ server: 'demo', state: 'failed' })
    expect(server.requests).toEqual(['/api/calls?server=demo&state=failed&limit=2'])
  })

  it('tells the errors of tools from other ends', async () => {
    const list = await server.list({ state: 'done', is_error: true })
    expect(server.requests).toEqual(['/api/calls?state=done&is_error=true&limit=2'])
    server.tell('call_done', numbered(4))
    server.tell('call_done', numbered(5, { is_error: true }))
    expect(ids(list)).toEqual(['c5', 'c3', 'c2'])
  })

  it('puts new calls on top and changes known ones in place', async () => {
    const list = await server.list()
    server.tell('call_started', numbered(4, { state: 'running' }))
    expect(ids(list)).toEqual(['c4', 'c3', 'c2'])
    server.tell('call_done', numbered(4, { state: 'failed' }))
    expect(list.entries?.[0]?.call.state).toBe('failed')
    expect(ids(list)).toEqual(['c4', 'c3', 'c2'])
  })

  it('keeps new calls back while someone reads, and shows them on demand', async () => {
    const list = await server.list()
    list.hold = true
    server.tell('call_started', numbered(4, { state: 'running' }))
    server.tell('call_done', numbered(4))
    expect([ids(list), list.held.length]).toEqual([['c3', 'c2'], 1])
    list.release()
    expect([ids(list), list.held.length]).toEqual([['c4', 'c3', 'c2'], 0])
  })

  it('leaves out news that doesn’t fit, and old calls that belong to a later page', async () => {
    const list = await server.list({ server: 'demo' })
    server.tell('call_started', numbered(4, { server: 'other' }))
    server.tell('call_done', numbered(1))
    expect(ids(list)).toEqual(['c3', 'c2'])
  })

  it('loses no call that starts while the list is being read', async () => {
    const list = new CallsState(server.api, server.live).list({}, 2)
    list.start()
    server.tell('call_started', numbered(9, { state: 'running' }))
    await settled(list)
    expect(ids(list)).toEqual(['c9', 'c3', 'c2'])
  })

  it('reads anew after a gap and keeps the entries that are shown', async () => {
    const list = await server.list()
    const kept = list.entries?.[0]
    server.stored.unshift(numbered(5))
    server.resync()
    await settled(list)
    expect(ids(list)).toEqual(['c5', 'c3'])
    expect(list.entries?.[1]).toBe(kept)
  })

  it('reads as much as was shown after a gap, so that nobody loses their place', async () => {
    const list = await server.list()
    await list.more()
    server.resync()
    await settled(list)
    expect(ids(list)).toEqual(['c3', 'c2', 'c1'])
  })
})
