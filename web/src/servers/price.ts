// What a server's tools would cost in a model's context.
import type { Server, Tool } from '../lib/wire'
import { isToolOn } from './draft'
import { count } from './words'

/** Tools of a server in words: how many are on, and their price. `tools` is null until read. */
export function priceWords(server: Server, tools: readonly Tool[] | null): { tools: string; price: string } {
  const own = (tools ?? []).filter((tool) => tool.server === server.name)
  const on = own.filter((tool) => isToolOn(server, tool.tool))
  const known = own.length > 0 ? count(on.length, 'tool', own.length) : count(server.status.tools, 'tool')
  if (!server.enabled) return { tools: known, price: 'off, costs nothing' }
  if (own.length === 0) return { tools: known, price: '' }
  const saved = server.status.state === 'ready' ? '' : ', saved'
  return { tools: known, price: `${count(tokensOf(on), 'token')}${saved}` }
}

export function tokensOf(tools: readonly Tool[]): number {
  return tools.reduce((sum, { tokens }) => sum + tokens, 0)
}
