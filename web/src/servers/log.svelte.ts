import type { Api } from '../lib/api'
import type { LogEntry } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { Followed } from './followed.svelte'
import { joinLines, type LogRow } from './log'

/** How many lines are read, and how many are kept while new ones come. */
const readLines = 1_000
const keptLines = 2_000

/** The log of one server, as it is written, while it is watched. */
export class ServerLog extends Followed<LogEntry> {
  /** Oldest first; null until read. Older lines are in the file only. */
  rows = $state.raw<LogRow[] | null>(null)
  readonly #api: Api
  readonly #name: string
  #next = 0

  constructor(api: Api, live: Live, name: string) {
    super(live, keptLines)
    this.#api = api
    this.#name = name
  }

  protected listen(live: Live) {
    return [
      live.on('log_line', ({ server, line }) => {
        if (server === this.#name) this.take(line)
      }),
      live.subscribe('log', this.#name),
    ]
  }

  protected read() {
    const query = { tail: readLines }
    return this.#api.get('/api/servers/{name}/logs', { path: { name: this.#name }, query })
  }

  protected replace(items: LogEntry[], early: LogEntry[]): void {
    this.rows = joinLines(items, early).map((line) => this.#row(line))
  }

  protected append(lines: LogEntry[]): number {
    const rows = [...(this.rows ?? []), ...lines.map((line) => this.#row(line))]
    const over = Math.max(0, rows.length - keptLines)
    this.rows = rows.slice(over)
    return over
  }

  #row(line: LogEntry): LogRow {
    return { ...line, id: this.#next++ }
  }
}
