import type { Api } from '../lib/api'
import type { Server } from '../lib/wire'
import type { Live } from '../shell/live.svelte'

/** The configured servers and their states, kept fresh. */
export class ServersState {
  /** null until read for the first time. */
  list = $state.raw<Server[] | null>(null)
  error = $state.raw<unknown>(null)
  readonly #api: Api
  readonly #byName = $derived(new Map(this.list?.map((server) => [server.name, server])))

  constructor(api: Api, live: Live) {
    this.#api = api
    live.onResync(() => void this.load())
    live.on('server_state', ({ server }) => this.put(server))
    live.on('server_removed', ({ name }) => this.remove(name))
  }

  async load(): Promise<void> {
    try {
      const { items } = await this.#api.get('/api/servers', { query: { limit: 500 } })
      this.list = items
      this.error = null
    } catch (error) {
      this.error = error
    }
  }

  get(name: string): Server | undefined {
    return this.#byName.get(name)
  }

  /** What a person calls the server. */
  title(name: string): string {
    return this.get(name)?.friendly_name || name
  }

  /** How many can’t be reached. */
  readonly failed = $derived(this.list?.filter((s) => s.enabled && s.status.state === 'failed').length ?? 0)

  /** Takes in a server that was just read or saved. */
  put(server: Server): void {
    const others = (this.list ?? []).filter(({ name }) => name !== server.name)
    this.list = [...others, server].sort((a, b) => a.name.localeCompare(b.name))
  }

  remove(name: string): void {
    this.list = (this.list ?? []).filter((server) => server.name !== name)
  }
}
