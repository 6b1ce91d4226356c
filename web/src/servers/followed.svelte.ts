import type { Live } from '../shell/live.svelte'

/** How long what comes is collected before it is shown: a server may write thousands of lines. */
const collecting = 60

/**
 * What a server writes or says, read once and then as it comes, while it is watched. The kind
 * of it says how it is read (`read`) and how it is shown (`show`).
 */
export abstract class Followed<Entry> {
  /** Older ones that are not here. */
  dropped = $state(0)
  error = $state.raw<unknown>(null)
  /** What came while paused. */
  held = $state.raw<Entry[]>([])
  paused = $state(false)
  /** It was read once. */
  #known = false
  /** What comes while it is being read. */
  #early: Entry[] | null = null
  /** What came and isn't shown yet. */
  #fresh: Entry[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #live: Live
  /** How many of what waits are kept. */
  readonly #kept: number

  constructor(live: Live, kept: number) {
    this.#live = live
    this.#kept = kept
  }

  /** Reads what is there; returns it and how many older ones there are. */
  protected abstract read(): Promise<{ items: Entry[]; dropped: number }>
  /** Shows what was read, with what came meanwhile, in place of what was shown. */
  protected abstract replace(items: Entry[], early: Entry[]): void
  /** Shows more, and returns how many were let go for it. */
  protected abstract append(entries: Entry[]): number
  /** Calls take for each that comes; what is returned ends that. */
  protected abstract listen(live: Live): (() => void)[]

  /** Reads and follows until the returned function is called. */
  watch(): () => void {
    const stops = [...this.listen(this.#live), this.#live.onResync(() => void this.load())]
    void this.load()
    return () => {
      clearTimeout(this.#timer)
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const early = (this.#early = [] as Entry[])
    try {
      const { items, dropped } = await this.read()
      this.replace(items, early)
      this.#known = true
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

  /** Stops the lines where they are, or shows what came since. */
  pause(paused: boolean): void {
    this.#flush()
    this.paused = paused
    if (!paused) this.#show()
  }

  protected take(entry: Entry): void {
    this.#early?.push(entry)
    if (!this.#known) return
    this.#fresh.push(entry)
    this.#timer ??= setTimeout(() => this.#flush(), collecting)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const held = [...this.held, ...this.#fresh]
    const over = Math.max(0, held.length - this.#kept)
    this.held = held.slice(over)
    this.dropped += over
    this.#fresh = []
    if (!this.paused) this.#show()
  }

  #show(): void {
    if (this.held.length === 0) return
    this.dropped += this.append(this.held)
    this.held = []
  }
}
