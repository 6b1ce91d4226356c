import { ApiError, type Api } from '../lib/api'
import type { Call } from '../lib/wire'
import { isOpen } from '../card/words'
import type { CallsState } from '../state/calls.svelte'
import { newer } from '../state/newer'

/** A call of a chat, as far as it is known. */
export class Slot {
  call = $state.raw<Call | null>(null)
  /** There is no such call: it was not begun, or not yet. */
  missing = $state(false)
  error = $state.raw<unknown>(null)

  take(call: Call): void {
    this.call = this.call ? newer(this.call, call) : call
    this.missing = false
    this.error = null
  }
}

/** The calls of one chat and its sub-agents, kept fresh. */
export class ChatCalls {
  readonly #api: Api
  readonly #calls: CallsState
  readonly #session: string
  readonly #slots = new Map<string, Slot>()
  /** Calls of messages that came as news: so will they. */
  readonly #expected = new Set<string>()
  /** The latest calls are read, all at once. */
  #listed: Promise<void> | null = null

  constructor(api: Api, calls: CallsState, session: string) {
    this.#api = api
    this.#calls = calls
    this.#session = session
  }

  start(): () => void {
    return this.#calls.on((call) => {
      if (call.session_id === this.#session || this.#slots.has(call.id)) this.#slot(call.id).take(call)
    })
  }

  /** The call's place. It fills by itself once `want` was asked for it. */
  get(id: string): Slot {
    return this.#slot(id)
  }

  /** A message that just came names the call. */
  expect(id: string): void {
    this.#expected.add(id)
  }

  /** Reads a call that is shown, unless it is known. One that is yet to begin comes as news. */
  async want(id: string, begun: boolean): Promise<void> {
    const slot = this.#slot(id)
    if (slot.call) return
    await (this.#listed ??= this.#list())
    if (!slot.call && begun && !this.#expected.has(id)) await this.#read(id, slot)
  }

  /** After a gap: what is open may have ended. */
  async reload(): Promise<void> {
    await (this.#listed = this.#list())
    const stale = [...this.#slots].filter(([, { call }]) => call && isOpen(call.state))
    await Promise.all(stale.map(([id, slot]) => this.#read(id, slot)))
  }

  async #list(): Promise<void> {
    try {
      const query = { session_id: this.#session, limit: 100 }
      const { items } = await this.#api.get('/api/calls', { query })
      for (const call of items) this.#slot(call.id).take(call)
    } catch {
      // Each call that is shown is asked for by itself, and says why it can't be read.
    }
  }

  async #read(id: string, slot: Slot): Promise<void> {
    try {
      slot.take(await this.#calls.read(id))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') slot.missing = true
      else slot.error = error
    }
  }

  #slot(id: string): Slot {
    let slot = this.#slots.get(id)
    if (!slot) this.#slots.set(id, (slot = new Slot()))
    return slot
  }
}
