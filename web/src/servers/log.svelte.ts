import type { Api } from '../lib/api'
import type { LogEntry } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { joinLines, type LogRow } from './log'

/** How many lines are read, and how many are kept while new ones come. */
const readLines = 1_000
const keptLines = 2_000

/** The log of one server, as it is written, while it is watched. */
export class ServerLog {
  /** Oldest first; null until read. */
  rows = $state.raw<LogRow[] | null>(null)
  /** Older lines that are in the file only. */
  dropped = $state(0)
  error = $state.raw<unknown>(null)
  /** Lines that came while paused. */
  held = $state.raw<LogEntry[]>([])
  paused = $state(false)
  readonly #api: Api
  readonly #live: Live
  readonly #name: string
  /** What comes while the log is being read. */
  #early: LogEntry[] | null = null
  #next = 0

  constructor(api: Api, live: Live, name: string) {
    this.#api = api
    this.#live = live
    this.#name = name
  }

  /** Reads and follows the log until the returned function is called. */
  watch(): () => void {
    const stops = [
      this.#live.on('log_line', ({ server, line }) => {
        if (server === this.#name) this.#take(line)
      }),
      this.#live.subscribe('log', this.#name),
      this.#live.onResync(() => void this.load()),
    ]
    void this.load()
    return () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const early = (this.#early = [] as LogEntry[])
    try {
      const { items, dropped } = await this.#api.get('/api/servers/{name}/logs', {
        path: { name: this.#name },
        query: { tail: readLines },
      })
      this.rows = joinLines(items, early).map((line) => this.#row(line))
      this.dropped = dropped
      this.held = []
      this.error = null
    } catch (error) {
      this.error = error
    } finally {
      if (this.#early === early) this.#early = null
    }
  }

  /** Stops the lines where they are, or shows what came since. */
  pause(paused: boolean): void {
    this.paused = paused
    if (paused) return
    const held = this.held
    this.held = []
    this.#append(held)
  }

  #take(line: LogEntry): void {
    this.#early?.push(line)
    if (this.rows === null) return
    if (this.paused) this.held = [...this.held, line]
    else this.#append([line])
  }

  #append(lines: LogEntry[]): void {
    const rows = [...(this.rows ?? []), ...lines.map((line) => this.#row(line))]
    const over = Math.max(0, rows.length - keptLines)
    this.rows = rows.slice(over)
    this.dropped += over
  }

  #row(line: LogEntry): LogRow {
    return { ...line, id: this.#next++ }
  }
}
