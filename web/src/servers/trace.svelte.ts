import type { Api } from '../lib/api'
import type { TraceEntry } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { joined, type Message } from './trace'

/** As many as Kontor itself keeps. */
const kept = 1_000
/** How long messages are collected before they are shown: a server may send thousands. */
const collecting = 60

/** The messages of one server, as they pass, while they are watched. */
export class ServerTrace {
  /** In the order of their numbers; null until read. */
  messages = $state.raw<Message[] | null>(null)
  /** Older ones that nobody keeps. */
  dropped = $state(0)
  error = $state.raw<unknown>(null)
  /** What came while paused. */
  held = $state.raw<TraceEntry[]>([])
  paused = $state(false)
  readonly #api: Api
  readonly #live: Live
  readonly #name: string
  /** What comes while the trace is being read. */
  #early: TraceEntry[] | null = null
  /** What came and isn't shown yet. */
  #fresh: TraceEntry[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: Api, live: Live, name: string) {
    this.#api = api
    this.#live = live
    this.#name = name
  }

  /** Reads and follows the trace until the returned function is called. */
  watch(): () => void {
    const stops = [
      this.#live.on('trace_line', ({ server, line }) => {
        if (server === this.#name) this.#take(line)
      }),
      this.#live.on('trace_missed', ({ server }) => {
        if (server === this.#name) void this.load()
      }),
      this.#live.subscribe('trace', this.#name),
      this.#live.onResync(() => void this.load()),
    ]
    void this.load()
    return () => {
      clearTimeout(this.#timer)
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const early = (this.#early = [] as TraceEntry[])
    try {
      const { items, dropped } = await this.#read()
      const last = items.at(-1)?.seq ?? 0
      this.messages = joined(
        joined([], items),
        early.filter(({ seq }) => seq > last),
      )
      this.dropped = dropped
      this.held = []
      this.#fresh = []
      this.error = null
    } catch (error) {
      this.error = error
    } finally {
      if (this.#early === early) this.#early = null
    }
  }

  /** Everything that Kontor keeps now, as it answers it. */
  export() {
    return this.#read()
  }

  /** Stops the lines where they are, or shows what came since. */
  pause(paused: boolean): void {
    this.#flush()
    this.paused = paused
    if (!paused) this.#show()
  }

  #read() {
    return this.#api.get('/api/servers/{name}/trace', { path: { name: this.#name } })
  }

  #take(entry: TraceEntry): void {
    this.#early?.push(entry)
    if (this.messages === null) return
    this.#fresh.push(entry)
    this.#timer ??= setTimeout(() => this.#flush(), collecting)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.held = [...this.held, ...this.#fresh].slice(-kept)
    this.#fresh = []
    if (!this.paused) this.#show()
  }

  #show(): void {
    if (this.held.length === 0) return
    const messages = joined(this.messages ?? [], this.held)
    const over = Math.max(0, messages.length - kept)
    this.messages = messages.slice(over)
    this.dropped += over
    this.held = []
  }
}
