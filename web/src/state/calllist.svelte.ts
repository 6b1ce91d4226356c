import type { Api } from '../lib/api'
import type { Call, CallState } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { Crossing } from './crossing'
import { newer } from './newer'

/** The most that the API gives at once. */
const longestPage = 500

/** Where the news of calls come from. */
interface CallNews {
  /** Calls the listener with each call that started, moved, or was read. */
  on(listener: (call: Call) => void): () => void
}

export interface CallFilter {
  server?: string
  tool?: string
  state?: CallState
  /** Whether the tool said itself that it failed. */
  is_error?: boolean
}

/** One call of a list. Its changes redraw its own card alone. */
export class CallEntry {
  readonly id: string
  #call: Call

  constructor(call: Call) {
    this.id = call.id
    this.#call = $state.raw(call)
  }

  get call(): Call {
    return this.#call
  }

  take(call: Call): void {
    this.#call = newer(this.#call, call)
  }
}

/** Calls that fit a filter, newest first, read page by page and kept fresh. */
export class CallList {
  /** null until read. */
  entries = $state.raw<CallEntry[] | null>(null)
  /** New calls that wait to be shown while someone reads further down. */
  held = $state.raw<CallEntry[]>([])
  /** Keeps new calls back, so that nothing moves under the reader. */
  hold = false
  error = $state.raw<unknown>(null)
  loading = $state(false)
  #next = $state<string | null>(null)

  readonly #api: Api
  readonly #live: Live
  readonly #calls: CallNews
  readonly #filter: CallFilter
  readonly #pageSize: number
  readonly #crossing = new Crossing()
  /** Counts the readings: the last one ends the waiting. */
  #reading = 0

  constructor(api: Api, live: Live, calls: CallNews, filter: CallFilter, pageSize = 50) {
    this.#api = api
    this.#live = live
    this.#calls = calls
    this.#filter = filter
    this.#pageSize = pageSize
  }

  get hasMore(): boolean {
    return this.#next !== null
  }

  /** Reads the first page and follows the news until the returned function is called. */
  start(): () => void {
    const stops = [
      this.#calls.on((call) => this.#crossing.news(() => this.#take(call))),
      this.#live.onResync(() => void this.load()),
    ]
    void this.load()
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Reads anew from the top, as much as was shown. What is shown stays until the answer is there. */
  async load(): Promise<void> {
    const limit = Math.min(longestPage, Math.max(this.#pageSize, this.entries?.length ?? 0))
    await this.#read({ limit }, (items) => {
      const known = new Map(this.entries?.map((entry) => [entry.id, entry]))
      this.entries = items.map((call) => this.#entry(call, known.get(call.id)))
      this.held = []
    })
  }

  /** Reads the next page. */
  async more(): Promise<void> {
    if (this.#next === null || this.loading) return
    await this.#read({ limit: this.#pageSize, cursor: this.#next }, (items) => {
      const known = new Set(this.entries?.map(({ id }) => id))
      const added = items.filter(({ id }) => !known.has(id)).map((call) => new CallEntry(call))
      this.entries = [...(this.entries ?? []), ...added]
    })
  }

  /** Shows the calls that were kept back. */
  release(): void {
    this.hold = false
    if (this.held.length === 0) return
    this.entries = [...this.held, ...(this.entries ?? [])]
    this.held = []
  }

  async #read(page: { limit: number; cursor?: string }, show: (items: Call[]) => void): Promise<void> {
    const reading = ++this.#reading
    this.loading = true
    try {
      const { is_error, ...filter } = this.#filter
      const query = {
        ...filter,
        ...(is_error !== undefined && { is_error: is_error ? ('true' as const) : ('false' as const) }),
        ...page,
      }
      await this.#crossing.read(
        () => this.#api.get('/api/calls', { query }),
        ({ items, next }) => {
          show(items)
          this.#next = next
          this.error = null
        },
      )
    } catch (error) {
      this.error = error
    } finally {
      if (reading === this.#reading) this.loading = false
    }
  }

  #entry(call: Call, known: CallEntry | undefined): CallEntry {
    if (!known) return new CallEntry(call)
    known.take(call)
    return known
  }

  #take(call: Call): void {
    const known = this.entries?.find(({ id }) => id === call.id) ?? this.held.find(({ id }) => id === call.id)
    if (known) {
      known.take(call)
      return
    }
    // What is older than the first page will come with its own page.
    const first = this.entries?.[0]
    if (!this.entries || !this.#fits(call) || (first && call.started_at < first.call.started_at)) return
    if (this.hold) this.held = [new CallEntry(call), ...this.held]
    else this.entries = [new CallEntry(call), ...this.entries]
  }

  #fits(call: Call): boolean {
    const { server, tool, state, is_error } = this.#filter
    return (
      (!server || call.server === server) &&
      (!tool || call.tool === tool) &&
      (!state || call.state === state) &&
      (is_error === undefined || call.is_error === is_error)
    )
  }
}
