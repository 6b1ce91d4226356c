import Play from '@lucide/svelte/icons/play'
import { byName } from '../lib/order'
import { href } from '../lib/route'
import type { App } from '../shell/app.svelte'
import type { Command } from '../shell/commands.svelte'
import { titleOf } from './listing'

/** Every tool that can be run, for the palette, in the order of the Tools page. */
export function toolCommands({
  router,
  servers,
  tools,
}: Pick<App, 'router' | 'servers' | 'tools'>): Command[] {
  const runnable = (tools.list ?? [])
    .filter((tool) => tool.enabled && servers.get(tool.server)?.enabled !== false)
    .sort((a, b) => byName(servers.title(a.server), servers.title(b.server)))
  return runnable.map((tool) => ({
    group: 'Tools',
    label: titleOf(tool),
    detail: servers.title(tool.server),
    keywords: tool.name,
    icon: Play,
    run: () => router.go(href({ page: 'tools', name: tool.name })),
  }))
}
