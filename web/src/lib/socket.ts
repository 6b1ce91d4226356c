// The only WebSocket. It says hello, keeps its place in the numbered stream, comes
// back by itself after a break, and asks for a fresh start when it missed something.
import { parseJson } from './json'
import type { Event, EventOf, Subscription } from './wire'

export type SocketStatus =
  | { state: 'connecting' }
  | { state: 'live' }
  /** `retryAt` is when the next try starts by itself. */
  | { state: 'offline'; retryAt: number }

/** An event that tells news, as opposed to the socket's own hello and resync. */
export type News = Exclude<Event, EventOf<'hello' | 'resync'>>

export interface SocketOptions {
  url: string
  /** News, in order, each once. */
  onEvent: (event: News) => void
  /** What was read before may be out of date: read everything again. Also at the start. */
  onResync: () => void
  onStatus: (status: SocketStatus) => void
  /** The version of Kontor that is running. */
  onVersion: (version: string) => void
  /** For tests. */
  open?: (url: string) => WebSocket
  jitter?: () => number
}

const firstDelay = 500
const longestDelay = 15_000
/** A connection that hasn't said hello by then is given up. */
const helloTimeout = 10_000

export class Socket {
  readonly #options: Required<SocketOptions>
  #socket: WebSocket | null = null
  #place: { epoch: string; seq: number } | null = null
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = true
  readonly #topics = new Map<string, { topic: Subscription['topic']; server: string; uses: number }>()

  constructor(options: SocketOptions) {
    this.#options = { open: (url) => new WebSocket(url), jitter: Math.random, ...options }
  }

  start(): void {
    this.#stopped = false
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#drop()
  }

  /** Tries again now instead of waiting. */
  retry(): void {
    if (this.#stopped || this.#socket) return
    clearTimeout(this.#timer)
    this.#connect()
  }

  /** Asks for a server's log lines (or trace) until the returned function is called. */
  subscribe(topic: Subscription['topic'], server: string): () => void {
    const key = `${topic} ${server}`
    const entry = this.#topics.get(key) ?? { topic, server, uses: 0 }
    this.#topics.set(key, entry)
    if (entry.uses++ === 0) this.#say({ type: 'subscribe', topic, server })
    let over = false
    return () => {
      if (over) return
      over = true
      if (--entry.uses > 0) return
      this.#topics.delete(key)
      this.#say({ type: 'unsubscribe', topic, server })
    }
  }

  #connect(): void {
    this.#options.onStatus({ state: 'connecting' })
    const since = this.#place ? `?since=${encodeURIComponent(`${this.#place.epoch}:${this.#place.seq}`)}` : ''
    const socket = this.#options.open(this.#options.url + since)
    this.#socket = socket
    this.#timer = setTimeout(() => this.#lost(socket), helloTimeout)
    socket.onmessage = (message) => {
      if (socket === this.#socket && typeof message.data === 'string') this.#receive(message.data)
    }
    socket.onclose = () => this.#lost(socket)
  }

  #receive(data: string): void {
    const event = parseJson(data) as unknown as Event
    switch (event.type) {
      case 'hello':
        this.#greeted(event)
        return
      case 'resync':
        this.#restart(event.epoch, event.seq)
        return
    }
    if ('seq' in event && this.#place) {
      if (event.seq <= this.#place.seq) return
      const missed = event.seq !== this.#place.seq + 1
      this.#place.seq = event.seq
      if (missed) this.#options.onResync()
    }
    this.#options.onEvent(event)
  }

  #greeted(hello: EventOf<'hello'>): void {
    clearTimeout(this.#timer)
    this.#failures = 0
    this.#options.onStatus({ state: 'live' })
    this.#options.onVersion(hello.build ?? '')
    for (const { topic, server } of this.#topics.values()) this.#say({ type: 'subscribe', topic, server })
    // A known place: what was missed follows, or a resync does.
    if (this.#place?.epoch !== hello.epoch) this.#restart(hello.epoch, hello.seq)
  }

  #restart(epoch: string, seq: number): void {
    this.#place = { epoch, seq }
    this.#options.onResync()
  }

  #say(message: Subscription): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket) return
    clearTimeout(this.#timer)
    this.#drop()
    if (this.#stopped) return
    const longest = Math.min(longestDelay, firstDelay * 2 ** this.#failures++)
    const delay = longest * (0.5 + this.#options.jitter() / 2)
    this.#options.onStatus({ state: 'offline', retryAt: Date.now() + delay })
    this.#timer = setTimeout(() => this.#connect(), delay)
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }
}

/** The socket's address on this page's own origin. */
export function socketUrl(location: { protocol: string; host: string }): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/api/ws`
}
