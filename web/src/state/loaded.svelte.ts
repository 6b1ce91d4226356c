import type { Live } from '../shell/live.svelte'

type News = Parameters<Live['on']>[0]

/** What a page reads from the API when it opens, and again when it may have changed. */
export class Loaded<T> {
  /** null until read for the first time. */
  value = $state.raw<T | null>(null)
  error = $state.raw<unknown>(null)
  readonly #read: () => Promise<T>
  #latest = 0

  constructor(read: () => Promise<T>) {
    this.#read = read
  }

  /** Reads anew. Of several at once the last one counts. */
  async load(): Promise<void> {
    const mine = ++this.#latest
    try {
      const value = await this.#read()
      if (mine !== this.#latest) return
      this.value = value
      this.error = null
    } catch (error) {
      if (mine === this.#latest) this.error = error
    }
  }

  /** Reads now, after a gap, and with each of these news, until the returned function is called. */
  watch(live: Live, ...news: News[]): () => void {
    const load = () => void this.load()
    const stops = [live.onResync(load), ...news.map((type) => live.on(type, load))]
    load()
    return () => {
      for (const stop of stops) stop()
    }
  }
}
