import type { BrowserContext, Page } from 'playwright-core'

/**
 * What must not happen in any page: errors on the console (violations of the
 * Content-Security-Policy among them), errors of scripts, dialogs, answers of 500
 * and up, requests to any other host.
 */
export class Watch {
  /** What was pressed in the pages, and what they asked for, the latest last: tells how a test failed. */
  readonly trail: string[] = []
  readonly #origin: string
  readonly #troubles: string[] = []
  readonly #allowed: RegExp[] = []

  constructor(context: BrowserContext, origin: string) {
    this.#origin = origin
    void this.#record(context)
    context.on('page', (page) => this.#follow(page))
    context.on('request', (request) => {
      const url = request.url()
      if (/^(https?|wss?):/.test(url) && !url.startsWith(`${origin}/`)) this.#add(`request to ${url}`)
    })
    context.on('response', (response) => {
      const url = response.url()
      if (url.includes('/api/')) this.#note(`${response.request().method()} ${url}: ${response.status()}`)
      if (response.status() >= 500) this.#add(`${response.status()} of ${response.url()}`)
    })
  }

  async #record(context: BrowserContext): Promise<void> {
    await context.exposeFunction('__trail', (what: string) => this.#note(what))
    await context.addInitScript(() => {
      const { __trail: note } = window as unknown as { __trail: (what: string) => Promise<void> }
      for (const type of ['pointerdown', 'pointerup', 'click'] as const) {
        const tell = ({ target, clientX, clientY }: MouseEvent) => {
          const { outerHTML } = target as Element
          void note(`${type} at ${clientX},${clientY} on ${outerHTML.slice(0, 120)}`)
        }
        addEventListener(type, tell, { capture: true, passive: true })
      }
    })
  }

  #note(what: string): void {
    this.trail.push(`${new Date().toISOString().slice(11, 23)} ${what}`)
    if (this.trail.length > 60) this.trail.shift()
  }

  /** Takes back what a test provokes: troubles that the pattern fits are none. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern)
  }

  get troubles(): string[] {
    return this.#troubles.filter((trouble) => !this.#allowed.some((pattern) => pattern.test(trouble)))
  }

  #follow(page: Page): void {
    page.on('pageerror', (error) => this.#add(`error of a script: ${error.message}`))
    page.on('dialog', (dialog) => {
      this.#add(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (/"type":"(item|call)_/.test(String(payload))) this.#note(String(payload).slice(0, 160))
      })
    })
    page.on('console', (message) => {
      // A page of another host that a test opened has its own errors.
      if (message.type() !== 'error' || !page.url().startsWith(this.#origin)) return
      this.#add(`console: ${message.text()} (${message.location().url})`)
    })
  }

  #add(trouble: string): void {
    this.#troubles.push(trouble)
  }
}
