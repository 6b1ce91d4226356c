// The list of tools: grouped by server, searched and filtered.
import { byName } from '../lib/order'
import type { Claim, Server, Tool } from '../lib/wire'

/** What a tool claims to do to the world. */
export type Effect = Exclude<Claim['kind'], 'repeatable' | 'outside'>

/** The worst first: one that claims two is shown by it. */
const effects: readonly Effect[] = ['destroys', 'reads', 'spares']

export function effectOf({ claims }: Pick<Tool, 'claims'>): Effect {
  return effects.find((effect) => claims.some(({ kind }) => kind === effect)) ?? 'silent'
}

export type EffectFilter = 'all' | 'reads' | 'destroys' | 'changed'

export interface ToolGroup {
  server: string
  title: string
  tools: Tool[]
  /** What a model pays for the tools that it is offered. */
  tokens: number
}

interface Query {
  text: string
  effect: EffectFilter
}

type Named = Pick<Server, 'name' | 'friendly_name' | 'enabled'>

/** Groups by server, in the order of their titles; tools stay in theirs. A server without tools shows while nothing is searched. */
export function groupTools(tools: readonly Tool[], servers: readonly Named[], query: Query): ToolGroup[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, ToolGroup>()
  const group = (server: string, title: string) => {
    const known = groups.get(server)
    if (known) return known
    const made = { server, title, tools: [], tokens: 0 }
    groups.set(server, made)
    return made
  }
  const titles = new Map(servers.map((server) => [server.name, server.friendly_name || server.name]))
  const everything = words.length === 0 && query.effect === 'all'
  if (everything) for (const { name, enabled } of servers) if (enabled) group(name, titles.get(name) ?? name)
  for (const tool of tools) {
    const title = titles.get(tool.server) ?? tool.server
    if (!fits(tool, title, words, query.effect)) continue
    const { tools: list } = group(tool.server, title)
    list.push(tool)
  }
  const all = [...groups.values()]
  for (const one of all) one.tokens = price(one.tools)
  return all.sort((a, b) => byName(a.title, b.title))
}

function fits(tool: Tool, server: string, words: string[], effect: EffectFilter): boolean {
  if (effect === 'changed' && !tool.changed) return false
  const claimed = effectOf(tool)
  if (effect === 'reads' && claimed !== 'reads') return false
  // By the protocol's default one that says nothing may, too.
  if (effect === 'destroys' && claimed !== 'destroys' && claimed !== 'silent') return false
  const text = `${tool.title}\n${tool.name}\n${server}\n${tool.description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

export function titleOf(tool: Pick<Tool, 'title' | 'tool'>): string {
  return tool.title || tool.tool
}

/** Whether a model may be offered the tool. */
export function isOffered(tool: Pick<Tool, 'enabled' | 'app_only'>): boolean {
  return tool.enabled && !tool.app_only
}

/** What the offered tools cost together. */
export function price(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + (isOffered(tool) ? tool.tokens : 0), 0)
}
