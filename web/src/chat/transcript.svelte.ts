import type { Api } from '../lib/api'
import type { Message } from '../lib/wire'
import { Crossing } from '../state/crossing'
import { fresher, grown, type Delta, type Draft } from './draft'
import { resultsOf, reread, without, withMessage, withOlder } from './messages'

const pageSize = 50
/** The most that the API gives at once. */
export const longestPage = 500

/** The messages of a chat, or of one of its sub-agents: the latest, and older ones as they are asked for. */
export class Transcript {
  /** Oldest first; null until read. */
  messages = $state.raw<readonly Message[] | null>(null)
  /** What is being written. */
  draft = $state.raw<Draft | null>(null)
  error = $state.raw<unknown>(null)
  loading = $state(false)
  /** The message from which chunks are counted. */
  origin = ''
  #next = $state<string | null>(null)
  readonly results = $derived(resultsOf(this.messages ?? []))
  readonly #api: Api
  readonly #session: string
  readonly #frame: string
  readonly #crossing = new Crossing()

  /** frame: a sub-agent's; "" for the chat's own. */
  constructor(api: Api, session: string, frame = '') {
    this.#api = api
    this.#session = session
    this.#frame = frame
  }

  get hasMore(): boolean {
    return this.#next !== null
  }

  /** Reads the latest anew. What is shown stays until the answer is there. */
  async load(): Promise<void> {
    const limit = Math.min(longestPage, Math.max(pageSize, this.messages?.length ?? 0))
    await this.#read({ limit }, (items, next) => {
      const { list, joined } = reread(this.messages ?? [], items)
      this.messages = list
      if (joined) return
      this.#next = next
      this.origin = list[0]?.id ?? ''
    })
  }

  /** Reads the page before. */
  async more(limit = pageSize): Promise<void> {
    if (this.#next === null || this.loading) return
    await this.#read({ limit, cursor: this.#next }, (items, next) => {
      this.messages = withOlder(this.messages ?? [], items)
      this.#next = next
    })
  }

  async #read(
    page: { limit: number; cursor?: string },
    show: (items: Message[], next: string | null) => void,
  ) {
    this.loading = true
    try {
      await this.#crossing.read(
        () =>
          this.#api.get('/api/sessions/{id}/messages', {
            path: { id: this.#session },
            query: { ...page, ...(this.#frame && { frame_id: this.#frame }) },
          }),
        ({ items, next }) => {
          show(items, next)
          this.error = null
        },
      )
    } catch (error) {
      this.error = error
    } finally {
      this.loading = false
    }
  }

  /** A message is complete. */
  take(message: Message): void {
    this.#crossing.news(() => {
      // Before the first page is there, nothing would tell what is missing before it.
      if (this.messages) this.messages = withMessage(this.messages, message)
      if (this.draft && this.draft.id <= message.id && message.role === 'assistant') this.draft = null
    })
  }

  /** More of what is being written. False when something before it was missed. */
  grow(delta: Delta): boolean {
    if (this.messages?.some(({ id }) => id === delta.message_id)) return true
    if (this.draft && this.draft.id > delta.message_id) return true
    const draft = grown(this.draft, delta)
    if (draft) this.draft = draft
    return draft !== null
  }

  /** What was read of the draft. */
  takeDraft(read: Message): void {
    if (this.messages?.some(({ id }) => id === read.id)) return
    if (this.draft && this.draft.id > read.id) return
    this.draft = fresher(this.draft, read)
  }

  /** Nothing is being written any more. */
  settle(): void {
    this.draft = null
  }

  /** The messages from one on are shown no more. */
  drop(from: string): void {
    this.#crossing.news(() => {
      if (this.messages) this.messages = without(this.messages, from)
    })
  }
}
