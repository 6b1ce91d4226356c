import { errorText } from '../lib/api'
import type { Tone } from '../ui/states'

export interface Toast {
  id: number
  text: string
  tone: Tone
  action?: { label: string; run: () => void }
}

/** Short words on what just happened, at the edge of the screen. Errors stay until closed. */
export class Toasts {
  list = $state.raw<Toast[]>([])
  #next = 1

  add(text: string, { tone = 'idle', action }: { tone?: Tone; action?: Toast['action'] } = {}): void {
    const id = this.#next++
    this.list = [...this.list, { id, text, tone, ...(action && { action }) }]
    if (tone !== 'bad') setTimeout(() => this.close(id), action ? 10_000 : 5_000)
  }

  /** What failed, and the reason: error("Not saved", err). */
  error(what: string, error: unknown): void {
    this.add(`${what}: ${errorText(error)}`, { tone: 'bad' })
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}
