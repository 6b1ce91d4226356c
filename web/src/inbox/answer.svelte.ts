import { ApiError, errorText } from '../lib/api'
import type { Json } from '../lib/json'
import type { Item, Resolution } from '../lib/wire'
import type { App } from '../shell/app.svelte'

/** Sending one card's answer: what is under way, and why it failed. */
export class Answer {
  /** The button that was pressed, while its answer is on the way. */
  sending = $state<string | null>(null)
  error = $state('')
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  /** No answer can be given now: one is on its way, or no one would get it. */
  get blocked(): boolean {
    return this.sending !== null || this.#app.live.offline
  }

  /** Sends an elicitation's answer; `refused` gets what the server has against fields. True once it arrived. */
  send(
    item: Item,
    action: Resolution['action'],
    content?: Json,
    refused?: (fields: ApiError['fields']) => void,
  ): Promise<boolean> {
    return this.run(action, () => this.#app.inbox.resolve(item, action, content), refused)
  }

  /** Sends the answer of a button. True once it arrived. */
  async run(
    button: string,
    answer: () => Promise<void>,
    refused?: (fields: ApiError['fields']) => void,
  ): Promise<boolean> {
    if (this.blocked) return false
    this.sending = button
    this.error = ''
    try {
      await answer()
      return true
    } catch (error) {
      this.error = errorText(error)
      if (error instanceof ApiError && error.fields.length > 0) refused?.(error.fields)
      return false
    } finally {
      this.sending = null
    }
  }
}
