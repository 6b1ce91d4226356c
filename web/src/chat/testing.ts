// A chat for tests, with a server behind it that the test is.
import { vi } from 'vitest'
import { Api } from '../lib/api'
import type { News } from '../lib/socket'
import type { EventOf, LanguageModel, Message, Resource, SessionDetail } from '../lib/wire'
import { App } from '../shell/app.svelte'
import { aChat } from './fixture'

/** What the server knows, and what it was asked. */
export class FakeServer {
  detail: SessionDetail = aChat()
  models: Partial<LanguageModel>[] = [{ name: 'Main', default: true, images: true }]
  resources: Resource[] = []
  /** Oldest first, as the tests write them; by frame, "" for the chat's own. */
  messages = new Map<string, Message[]>([['', []]])
  readonly asked: { method: string; path: string; body: unknown }[] = []
  /** Holds each answer to messages until it ends. */
  gate: Promise<undefined> = Promise.resolve(undefined)

  /** Refuses whatever changes something. */
  refuse: { code: string; detail: string } | null = null

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), 'http://kontor.test')
    const method = init?.method ?? 'GET'
    const text = init?.body
    this.asked.push({ method, path: url.pathname, body: typeof text === 'string' ? JSON.parse(text) : text })
    if (method !== 'GET' && this.refuse) return Response.json(this.refuse, { status: 422 })
    return Response.json(await this.#answer(method, url))
  }

  /** The requests of a method other than GET. */
  get done(): string[] {
    return this.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
  }

  async #answer(method: string, url: URL): Promise<unknown> {
    const path = url.pathname
    if (method === 'POST' && /\/(messages|retry)$/.test(path)) return { turn_id: 't1' }
    if (path.endsWith('/messages')) return this.#page(url)
    if (/^\/api\/sessions\/[^/]+$/.test(path)) return this.detail
    if (path === '/api/agents') return { items: [], next: null }
    if (path === '/api/models') return { items: this.models, next: null }
    if (path === '/api/resources') {
      // Two to a page.
      const from = Number(url.searchParams.get('cursor') ?? 0)
      const next = from + 2 < this.resources.length ? String(from + 2) : null
      return { items: this.resources.slice(from, from + 2), next }
    }
    return { items: [], next: null }
  }

  async #page(url: URL): Promise<unknown> {
    const all = [...(this.messages.get(url.searchParams.get('frame_id') ?? '') ?? [])].reverse()
    const from = Number(url.searchParams.get('cursor') ?? 0)
    const to = from + Number(url.searchParams.get('limit'))
    await this.gate
    return { items: all.slice(from, to), next: to < all.length ? String(to) : null }
  }
}

/** An App before that server. `tell` brings it news. */
export function fakeApp(server: FakeServer) {
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch: server.fetch }),
  )
  const listeners = new Map<string, Set<(event: never) => void>>()
  const resyncs = new Set<() => void>()
  vi.spyOn(app.live, 'on').mockImplementation((type, listener) => {
    const set = listeners.get(type) ?? new Set()
    listeners.set(type, set.add(listener))
    return () => set.delete(listener)
  })
  vi.spyOn(app.live, 'onResync').mockImplementation((read) => {
    resyncs.add(read)
    return () => resyncs.delete(read)
  })
  const tell = <T extends News['type']>(type: T, event: Omit<EventOf<T>, 'type' | 'seq' | 'at'>) => {
    for (const listener of listeners.get(type) ?? []) listener({ type, seq: 1, at: '', ...event } as never)
  }
  const resync = () => {
    for (const read of resyncs) read()
  }
  return { app, tell, resync }
}
