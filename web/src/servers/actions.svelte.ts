import Ban from '@lucide/svelte/icons/ban'
import ArrowRight from '@lucide/svelte/icons/arrow-right'
import PenLine from '@lucide/svelte/icons/pen-line'
import Play from '@lucide/svelte/icons/play'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import Trash from '@lucide/svelte/icons/trash-2'
import { href } from '../lib/route'
import type { App } from '../shell/app.svelte'
import type { MenuItem } from '../ui/Menu.svelte'

/** What a person does to one server, from its row or its page. */
export class ServerActions {
  busy = $state(false)
  readonly #app: Pick<App, 'live' | 'router' | 'servers' | 'toasts'>
  readonly #name: string

  constructor(app: Pick<App, 'live' | 'router' | 'servers' | 'toasts'>, name: string) {
    this.#app = app
    this.#name = name
  }

  reconnect(): void {
    void this.#do('Not reconnected', () => this.#app.servers.reconnect(this.#name))
  }

  setEnabled(enabled: boolean): void {
    const { servers } = this.#app
    void this.#do(`${servers.title(this.#name)} was not turned ${enabled ? 'on' : 'off'}`, () =>
      servers.setEnabled(this.#name, enabled),
    )
  }

  /** The entries of its menu; the page of the server leaves out the way to itself. */
  menu(ondelete: () => void, { onPage = false } = {}): MenuItem[] {
    const enabled = this.#app.servers.get(this.#name)?.enabled ?? false
    const page = href({ page: 'servers', name: this.#name })
    const disabled = this.busy || this.#app.live.offline
    const items: MenuItem[] = [
      { label: 'Open', icon: ArrowRight, onselect: () => this.#app.router.go(page) },
      enabled
        ? { label: 'Turn off', icon: Ban, disabled, onselect: () => this.setEnabled(false) }
        : { label: 'Turn on', icon: Play, disabled, onselect: () => this.setEnabled(true) },
      {
        label: 'Reconnect',
        icon: RefreshCw,
        disabled: disabled || !enabled,
        onselect: () => this.reconnect(),
      },
      { label: 'Edit', icon: PenLine, onselect: () => this.#app.router.go(`${page}#settings`) },
      { label: 'Delete', icon: Trash, bad: true, disabled, onselect: ondelete },
    ]
    return onPage ? items.slice(1) : items
  }

  async #do(failed: string, action: () => Promise<void>): Promise<void> {
    this.busy = true
    try {
      await action()
    } catch (error) {
      this.#app.toasts.error(failed, error)
    } finally {
      this.busy = false
    }
  }
}
