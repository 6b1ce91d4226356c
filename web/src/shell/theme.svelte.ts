import type { Api } from '../lib/api'
import type { Theme } from '../lib/wire'

/** Light, dark or what the system says; kept by the server for all tabs. */
export class ThemeChoice {
  #theme = $state<Theme>('system')
  readonly #api: Api

  constructor(api: Api, theme: Theme) {
    this.#api = api
    this.#theme = theme
    this.#show()
  }

  get current(): Theme {
    return this.#theme
  }

  /** Shows it at once; the promise fails when it could not be kept. */
  async set(theme: Theme): Promise<void> {
    this.#theme = theme
    this.#show()
    await this.#api.patch('/api/settings', { body: { theme } })
  }

  #show(): void {
    if (this.#theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = this.#theme
  }
}
