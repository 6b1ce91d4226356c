import type { Api } from '../lib/api'
import type { JsonObject } from '../lib/json'
import type { Call } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { CallList, type CallFilter } from './calllist.svelte'

/** Runs tools and tells every list of calls what became of them. */
export class CallsState {
  readonly #api: Api
  readonly #live: Live
  readonly #listeners = new Set<(call: Call) => void>()

  constructor(api: Api, live: Live) {
    this.#api = api
    this.#live = live
    for (const type of ['call_started', 'call_progress', 'call_done'] as const) {
      live.on(type, ({ call }) => this.#tell(call))
    }
  }

  /** Starts a tool by its full name and answers at once; the rest comes as news. */
  async run(name: string, args: JsonObject): Promise<Call> {
    return this.#told(await this.#api.post('/api/tools/call', { body: { name, arguments: args } }))
  }

  /** Stops a call: the server is told. Throws when that could not be asked for. */
  async cancel(id: string): Promise<Call> {
    return this.#told(await this.#api.post('/api/calls/{id}/cancel', { path: { id } }))
  }

  /** Reads a call with everything that was too large for the news. */
  async read(id: string, signal?: AbortSignal): Promise<Call> {
    return this.#told(await this.#api.get('/api/calls/{id}', { path: { id }, ...(signal && { signal }) }))
  }

  /** A list that is kept fresh between its start() and what that returns. */
  list(filter: CallFilter = {}, pageSize?: number): CallList {
    return new CallList(this.#api, this.#live, this, filter, pageSize)
  }

  /** Calls the listener with each call that started, moved, or was read. */
  on(listener: (call: Call) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #told(call: Call): Call {
    this.#tell(call)
    return call
  }

  #tell(call: Call): void {
    for (const listener of this.#listeners) listener(call)
  }
}
