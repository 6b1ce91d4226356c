import type { Api } from '../lib/api'
import type { Import, Server, ServerConfig, SignIn, Trial } from '../lib/wire'
import { withClient, withTool } from '../servers/draft'
import { ServerForm, type Replacing } from '../servers/form.svelte'
import type { Live } from '../shell/live.svelte'
import { Crossing } from './crossing'

/** The configured servers and their states, kept fresh, and what is done to them. */
export class ServersState {
  /** null until read for the first time. */
  list = $state.raw<Server[] | null>(null)
  error = $state.raw<unknown>(null)
  readonly #api: Api
  readonly #byName = $derived(new Map(this.list?.map((server) => [server.name, server])))
  /** What is typed for each server, "" for a new one, until it is saved or thrown away. */
  readonly #forms = new Map<string, ServerForm>()
  /** Tool switches of a server, one after the other: each builds on the last. */
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #crossing = new Crossing()

  constructor(api: Api, live: Live) {
    this.#api = api
    live.onResync(() => void this.load())
    live.on('server_state', ({ server }) => this.put(server))
    live.on('sign_in_changed', ({ server, auth }) => {
      this.#crossing.news(() => {
        const known = this.get(server)
        if (known) this.#put({ ...known, status: { ...known.status, auth } })
      })
    })
    live.on('server_removed', ({ name }) => this.remove(name))
  }

  async load(): Promise<void> {
    try {
      await this.#crossing.read(
        () => this.#api.get('/api/servers'),
        ({ items }) => {
          this.list = items
          this.error = null
        },
      )
    } catch (error) {
      this.error = error
    }
  }

  get(name: string): Server | undefined {
    return this.#byName.get(name)
  }

  /** What a person calls the server. */
  title(name: string): string {
    return this.get(name)?.friendly_name || (name === 'config' ? 'Kontor’s settings' : name)
  }

  /** How many can’t be reached. */
  readonly failed = $derived(this.list?.filter((s) => s.enabled && s.status.state === 'failed').length ?? 0)

  /** Takes in a server that was just read or saved. */
  put(server: Server): void {
    this.#crossing.news(() => this.#put(server))
  }

  /** Takes in what a change was answered with; the socket may have told more by then. */
  #answer(answer: Promise<Server>): Promise<Server> {
    return this.#crossing.answer(
      () => answer,
      (server) => this.#put(server),
    )
  }

  #put(server: Server): void {
    const others = (this.list ?? []).filter(({ name }) => name !== server.name)
    this.list = [...others, server].sort((a, b) => a.name.localeCompare(b.name))
  }

  remove(name: string): void {
    this.#crossing.news(() => {
      this.list = (this.list ?? []).filter((server) => server.name !== name)
    })
    this.#forms.delete(name)
  }

  /** Saves a new server. verify: only when it can be started. */
  async add(body: ServerConfig, { verify = false, signal }: AddOptions = {}): Promise<Server> {
    return this.#answer(
      this.#api.post('/api/servers', { body, query: { verify }, ...(signal && { signal }) }),
    )
  }

  /** Tries a configuration step by step; nothing is saved. */
  test(
    body: ServerConfig,
    { sendStored = false, signal }: { sendStored?: boolean; signal: AbortSignal },
  ): Promise<Trial> {
    return this.#api.post('/api/servers/test', { query: { send_stored: sendStored }, body, signal })
  }

  /** Reads what was pasted, or a file on Kontor's machine; nothing is saved or started. */
  read(source: { text: string } | { path: string }, signal?: AbortSignal): Promise<Import> {
    return this.#api.post('/api/servers/import', { body: source, ...(signal && { signal }) })
  }

  /** Adds the bundled demo server. */
  async addDemo(): Promise<Server> {
    const { demo } = await this.#api.get('/api/about')
    return this.add(demo)
  }

  /** Replaces a server's settings. force: ends the running connection at once. */
  async replace(
    name: string,
    body: ServerConfig,
    { force = false, sendStored = false }: Replacing = {},
  ): Promise<Server> {
    const query = { force, send_stored: sendStored }
    return this.#answer(this.#api.put('/api/servers/{name}', { path: { name }, query, body }))
  }

  async setEnabled(name: string, enabled: boolean): Promise<void> {
    await this.#answer(this.#api.patch('/api/servers/{name}', { path: { name }, body: { enabled } }))
  }

  /** Ends the connection and dials again now. */
  async reconnect(name: string): Promise<void> {
    await this.#answer(this.#api.post('/api/servers/{name}/reconnect', { path: { name } }))
  }

  async delete(name: string): Promise<void> {
    await this.#api.delete('/api/servers/{name}', { path: { name } })
    this.remove(name)
  }

  /** Prepares a sign-in: the address for the browser. */
  startSignIn(name: string, issuer: string): Promise<SignIn> {
    return this.#api.post('/api/servers/{name}/sign-in', { path: { name }, body: issuer ? { issuer } : {} })
  }

  /** Takes the address that the browser was sent to and couldn't open. */
  async pasteSignIn(name: string, url: string): Promise<void> {
    await this.#answer(
      this.#api.post('/api/servers/{name}/sign-in/callback', { path: { name }, body: { url } }),
    )
  }

  /** Gives up a sign-in; a call that waits for it fails. */
  async cancelSignIn(name: string): Promise<void> {
    await this.#answer(this.#api.post('/api/servers/{name}/sign-in/cancel', { path: { name } }))
  }

  /** Revokes and forgets what was granted. */
  async signOut(name: string): Promise<void> {
    await this.#answer(this.#api.delete('/api/servers/{name}/sign-in', { path: { name } }))
  }

  /** Keeps the client that was registered by hand at the authorization server. */
  async setClient(name: string, id: string, secret: string): Promise<void> {
    const server = this.get(name)
    if (server) await this.replace(name, withClient(server, id, secret))
  }

  /** Switches one tool of a server on or off. */
  setTool(name: string, tool: string, on: boolean): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(async () => {
      const server = this.get(name)
      if (server) await this.replace(name, withTool(server, tool, on))
    })
    this.#turns.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }

  /** What is typed for a new server, or for one that is there. */
  form(server?: Server): ServerForm {
    const name = server?.name ?? ''
    let form = this.#forms.get(name)
    if (!form) this.#forms.set(name, (form = new ServerForm(this, server)))
    return form
  }

  /** Throws away what is typed for a server, "" for a new one. */
  dropForm(name: string): void {
    this.#forms.delete(name)
  }
}

interface AddOptions {
  verify?: boolean
  signal?: AbortSignal
}
