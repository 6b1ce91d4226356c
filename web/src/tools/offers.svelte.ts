import type { Api } from '../lib/api'
import type { Prompt, Resource } from '../lib/wire'
import type { Live } from '../shell/live.svelte'

export type OfferKind = 'resources' | 'prompts'

/** The resources and prompts of all servers, kept fresh while the page is open. */
export class Offers {
  resources = $state.raw<Resource[] | null>(null)
  prompts = $state.raw<Prompt[] | null>(null)
  error = $state.raw<unknown>(null)
  readonly #api: Api
  readonly #live: Live

  constructor(api: Api, live: Live) {
    this.#api = api
    this.#live = live
  }

  /** Both lists were read, or could not be. */
  get settled(): boolean {
    return this.error !== null || (this.resources !== null && this.prompts !== null)
  }

  start(): () => void {
    const stops = [
      this.#live.onResync(() => void this.load()),
      this.#live.on('catalogue_changed', () => void this.load()),
      this.#live.on('server_removed', () => void this.load()),
    ]
    void this.load()
    return () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    try {
      const [resources, prompts] = await Promise.all([
        all((query) => this.#api.get('/api/resources', { query })),
        all((query) => this.#api.get('/api/prompts', { query })),
      ])
      this.resources = resources
      this.prompts = prompts
      this.error = null
    } catch (error) {
      this.error = error
    }
  }

  resource(server: string | null, uri: string | null): Resource | undefined {
    return this.resources?.find((resource) => resource.server === server && resource.uri === uri)
  }

  prompt(server: string | null, name: string | null): Prompt | undefined {
    return this.prompts?.find((prompt) => prompt.server === server && prompt.name === name)
  }
}

/** A list's items from all of its pages. */
async function all<T>(
  read: (query: { limit: number; cursor?: string }) => Promise<{ items: T[]; next: string | null }>,
): Promise<T[]> {
  const items: T[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read({ limit: 500, ...(cursor && { cursor }) })
    items.push(...page.items)
    cursor = page.next
  }
  return items
}
