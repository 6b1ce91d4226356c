import { Api } from '../lib/api'
import { Keys } from '../lib/keys'
import type { Boot } from '../lib/wire'
import { ChatsState } from '../chat/chats.svelte'
import { chatCommands } from '../chat/commands'
import { InboxState } from '../inbox/inbox.svelte'
import { doing, sender } from '../inbox/words'
import { CallsState } from '../state/calls.svelte'
import { ServersState } from '../state/servers.svelte'
import { ToolsState } from '../state/tools.svelte'
import { toolCommands } from '../tools/commands'
import { Clock } from './clock.svelte'
import { Commands } from './commands.svelte'
import { Live } from './live.svelte'
import { Notify } from './notify.svelte'
import { Router } from './router.svelte'
import { ThemeChoice } from './theme.svelte'
import { Toasts } from './toasts.svelte'

/** Everything that lives as long as the tab: made once in main.ts, found by getApp(). */
export class App {
  readonly boot: Boot
  readonly api: Api
  readonly clock = new Clock()
  readonly router = new Router()
  readonly keys = new Keys()
  readonly commands = new Commands()
  readonly toasts = new Toasts()
  readonly notify = new Notify()
  readonly live: Live
  readonly theme: ThemeChoice
  readonly servers: ServersState
  readonly inbox: InboxState
  readonly tools: ToolsState
  readonly calls: CallsState
  readonly chats: ChatsState

  constructor(boot: Boot, api = new Api({ signedOut: toLogin })) {
    this.boot = boot
    this.api = api
    this.live = new Live(boot.version)
    this.theme = new ThemeChoice(api, boot.theme)
    this.servers = new ServersState(api, this.live)
    this.inbox = new InboxState(api, this.live)
    this.live.onFailure(() => void this.inbox.load())
    this.live.on('item_added', ({ item }) => {
      const title = `${sender(item, this.servers)} ${doing(item)}`
      this.notify.tell(item.id, title, item.message.slice(0, 200), () => this.router.go('/inbox'))
    })
    this.tools = new ToolsState(api, this.live)
    this.calls = new CallsState(api, this.live)
    this.chats = new ChatsState(api, this.live)
  }

  /** Starts clock, router and socket; what is returned stops them. */
  start(): () => void {
    // The socket's first hello has them read again; without a socket (a proxy that
    // lets none through) there is at least what was true at the start.
    void this.servers.load()
    void this.inbox.load()
    void this.tools.load()
    void this.chats.load()
    const stops = [
      this.clock.start(),
      this.router.start(),
      this.live.start(),
      this.commands.use(() => chatCommands(this)),
      this.commands.use(() => toolCommands(this)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
}

function toLogin(): void {
  const here = location.pathname + location.search
  location.assign(`/login?next=${encodeURIComponent(here)}`)
}
