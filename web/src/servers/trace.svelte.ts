import type { Api } from '../lib/api'
import type { TraceEntry } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { Followed } from './followed.svelte'
import { joined, type Message } from './trace'

/** As many as Kontor itself keeps. */
const kept = 1_000

/** The messages of one server, as they pass, while they are watched. */
export class ServerTrace extends Followed<TraceEntry> {
  /** In the order of their numbers; null until read. Nobody keeps older ones. */
  messages = $state.raw<Message[] | null>(null)
  readonly #api: Api
  readonly #name: string

  constructor(api: Api, live: Live, name: string) {
    super(live, kept)
    this.#api = api
    this.#name = name
  }

  /** Everything that Kontor keeps now, as it answers it. */
  export() {
    return this.read()
  }

  protected listen(live: Live) {
    return [
      live.on('trace_line', ({ server, line }) => {
        if (server === this.#name) this.take(line)
      }),
      live.on('trace_missed', ({ server }) => {
        if (server === this.#name) void this.load()
      }),
      live.subscribe('trace', this.#name),
    ]
  }

  protected read() {
    return this.#api.get('/api/servers/{name}/trace', { path: { name: this.#name } })
  }

  protected replace(items: TraceEntry[], early: TraceEntry[]): void {
    const last = items.at(-1)?.seq ?? 0
    this.messages = joined(
      joined([], items),
      early.filter(({ seq }) => seq > last),
    )
  }

  protected append(entries: TraceEntry[]): number {
    const messages = joined(this.messages ?? [], entries)
    const over = Math.max(0, messages.length - kept)
    this.messages = messages.slice(over)
    return over
  }
}
