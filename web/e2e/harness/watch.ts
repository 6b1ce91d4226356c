import type { BrowserContext, Page } from 'playwright-core'

/**
 * What must not happen in any page: errors on the console (violations of the
 * Content-Security-Policy among them), errors of scripts, dialogs, answers of 500
 * and up, requests to any other host.
 */
export class Watch {
  readonly #origin: string
  readonly #troubles: string[] = []
  readonly #allowed: RegExp[] = []

  constructor(context: BrowserContext, origin: string) {
    this.#origin = origin
    context.on('page', (page) => this.#follow(page))
    context.on('request', (request) => {
      const url = request.url()
      if (/^(https?|wss?):/.test(url) && !url.startsWith(`${origin}/`)) this.#add(`request to ${url}`)
    })
    context.on('response', (response) => {
      if (response.status() >= 500) this.#add(`${response.status()} of ${response.url()}`)
    })
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
