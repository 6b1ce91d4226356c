import type { Api } from '../lib/api'
import type { LanguageModel, Session } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { Crossing } from '../state/crossing'
import { Loaded } from '../state/loaded.svelte'
import { Writing } from './writing.svelte'

const pageSize = 50

/** The chats, the latest first, kept fresh; and what is being written to each. */
export class ChatsState {
  /** null until read. */
  list = $state.raw<readonly Session[] | null>(null)
  error = $state.raw<unknown>(null)
  loading = $state(false)
  /** The language models that are set up, read while the page is open. */
  readonly models: Loaded<LanguageModel[]>
  #next = $state<string | null>(null)
  readonly #api: Api
  readonly #writings = new Map<string, Writing>()
  readonly #crossing = new Crossing()

  constructor(api: Api, live: Live) {
    this.#api = api
    this.models = new Loaded(async () => (await api.get('/api/models')).items)
    live.onResync(() => void this.load())
    live.on('session_changed', ({ session }) => this.#crossing.news(() => this.#put(session)))
    live.on('session_removed', ({ id }) => this.#crossing.news(() => this.#drop(id)))
  }

  /** What a chat is called; "" while it has no title, or is too old to be in the list. */
  title(id: string): string {
    return this.list?.find((session) => session.id === id)?.title ?? ''
  }

  /** The model of that name; "" names the default one. */
  model(name: string): LanguageModel | undefined {
    return this.models.value?.find((one) => (name ? one.name === name : one.default))
  }

  get hasMore(): boolean {
    return this.#next !== null
  }

  async load(): Promise<void> {
    const limit = Math.min(500, Math.max(pageSize, this.list?.length ?? 0))
    await this.#read({ limit }, (items) => (this.list = items))
  }

  async more(): Promise<void> {
    if (this.#next === null || this.loading) return
    await this.#read({ limit: pageSize, cursor: this.#next }, (items) => {
      const known = new Set(this.list?.map(({ id }) => id))
      this.list = [...(this.list ?? []), ...items.filter(({ id }) => !known.has(id))]
    })
  }

  /** Chats by their title and by what was said in them. */
  async search(query: string, signal: AbortSignal): Promise<Session[]> {
    return (await this.#api.get('/api/sessions', { query: { query, limit: pageSize }, signal })).items
  }

  async create(choice: { agent?: string; model?: string } = {}): Promise<Session> {
    return this.#crossing.answer(
      () => this.#api.post('/api/sessions', { body: choice }),
      (session) => this.#put(session),
    )
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#crossing.answer(
      () => this.#api.patch('/api/sessions/{id}', { path: { id }, body: { title } }),
      (session) => this.#put(session),
    )
  }

  /** Deletes a chat; what runs in it is stopped first. */
  async delete(id: string): Promise<void> {
    await this.#api.delete('/api/sessions/{id}', { path: { id } })
    this.#crossing.news(() => this.#drop(id))
  }

  /** What is being written to a chat, "" for a new one. Not for a $derived. */
  writing(id: string): Writing {
    let writing = this.#writings.get(id)
    if (!writing) this.#writings.set(id, (writing = new Writing(id)))
    return writing
  }

  async #read(page: { limit: number; cursor?: string }, show: (items: Session[]) => void): Promise<void> {
    this.loading = true
    try {
      await this.#crossing.read(
        () => this.#api.get('/api/sessions', { query: page }),
        ({ items, next }) => {
          show(items)
          this.#next = next
          this.error = null
        },
      )
    } catch (error) {
      this.error = error
    } finally {
      this.loading = false
    }
  }

  #put(session: Session): void {
    const others = (this.list ?? []).filter(({ id }) => id !== session.id)
    this.list = [...others, session].sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  }

  #drop(id: string): void {
    this.list = this.list?.filter((session) => session.id !== id) ?? null
    this.#writings.get(id)?.take()
    this.#writings.delete(id)
  }
}
