import { Socket, socketUrl, type News, type SocketStatus } from '../lib/socket'
import type { EventOf, Subscription } from '../lib/wire'

type Listener<T extends News['type']> = (event: EventOf<T>) => void

/** The connection as a page sees it: is it live, since when not, and the news that it brings. */
export class Live {
  status = $state.raw<SocketStatus>({ state: 'connecting' })
  /** When it was live last; what is shown may be as old as that. 0: not yet. */
  lastLive = $state(0)
  /** The version that runs by now, when this tab is another; "" otherwise. */
  upgradedTo = $state('')

  #tried = $state(false)
  readonly offline = $derived(
    this.status.state === 'offline' || (this.status.state === 'connecting' && this.#tried),
  )
  readonly #listeners = new Map<News['type'], Set<(event: never) => void>>()
  readonly #resyncs = new Set<() => void>()
  readonly #failures = new Set<() => void>()
  readonly #socket: Socket

  constructor(version: string) {
    this.#socket = new Socket({
      url: socketUrl(location),
      onStatus: (status) => this.#changed(status),
      onEvent: (event) => this.#tell(event),
      onResync: () => {
        for (const read of this.#resyncs) read()
      },
      onVersion: (running) => {
        this.upgradedTo = version && running !== version ? running : ''
      },
    })
  }

  /** Calls the listener with each event of the type, until the returned function is called. */
  on<T extends News['type']>(type: T, listener: Listener<T>): () => void {
    const set = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, set.add(listener))
    return () => set.delete(listener)
  }

  /** Calls read whenever everything must be read anew: at the start, and after a gap. */
  onResync(read: () => void): () => void {
    this.#resyncs.add(read)
    return () => this.#resyncs.delete(read)
  }

  /** Calls check after each failed try: a request tells why (the session may be over). */
  onFailure(check: () => void): () => void {
    this.#failures.add(check)
    return () => this.#failures.delete(check)
  }

  /** Asks for a server's log lines; they come as `log_line` events. */
  subscribe(topic: Subscription['topic'], server: string): () => void {
    return this.#socket.subscribe(topic, server)
  }

  retry(): void {
    this.#socket.retry()
  }

  start(): () => void {
    this.#socket.start()
    const retry = () => this.#socket.retry()
    addEventListener('online', retry)
    return () => {
      removeEventListener('online', retry)
      this.#socket.stop()
    }
  }

  /** No more news while something ends that the socket depends on; what is returned goes on. */
  pause(): () => void {
    this.#socket.stop()
    return () => this.#socket.start()
  }

  #changed(status: SocketStatus): void {
    if (this.status.state === 'live') this.lastLive = Date.now()
    this.#tried = status.state === 'offline' || (this.#tried && status.state !== 'live')
    this.status = status
    if (status.state === 'offline') for (const check of this.#failures) check()
  }

  #tell(event: News): void {
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event as never)
  }
}
