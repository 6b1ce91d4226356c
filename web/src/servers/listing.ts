// Which servers the list shows, and in which order: what asks for the person first.
import type { Server, ServerState } from '../lib/wire'
import { addressOf } from './words'

export type ServerFilter = 'all' | 'attention' | 'ready' | 'off'

export const serverFilters: Record<ServerFilter, { label: string; has: (state: ServerState) => boolean }> = {
  all: { label: 'All', has: () => true },
  attention: { label: 'Needs attention', has: (state) => state === 'failed' || state === 'needs_sign_in' },
  ready: { label: 'Ready', has: (state) => state === 'ready' },
  off: { label: 'Off', has: (state) => state === 'disabled' },
}

export const filterNames = Object.keys(serverFilters) as ServerFilter[]

const rank: Record<ServerState, number> = {
  failed: 0,
  needs_sign_in: 1,
  connecting: 2,
  ready: 3,
  disabled: 4,
}

/** The state to show: a server that is switched off is that, whatever still runs down. */
export function stateOf(server: Server): ServerState {
  return server.enabled ? server.status.state : 'disabled'
}

export function titleOf(server: Server): string {
  return server.friendly_name || server.name
}

export function inOrder(servers: readonly Server[]): Server[] {
  return [...servers].sort(
    (a, b) =>
      rank[stateOf(a)] - rank[stateOf(b)] ||
      titleOf(a).localeCompare(titleOf(b), undefined, { numeric: true, sensitivity: 'base' }) ||
      a.name.localeCompare(b.name),
  )
}

/** How many servers each filter lets through. */
export function countFilters(servers: readonly Server[]): Record<ServerFilter, number> {
  const count = (filter: ServerFilter) => servers.filter((s) => serverFilters[filter].has(stateOf(s))).length
  return { all: count('all'), attention: count('attention'), ready: count('ready'), off: count('off') }
}

/** The servers that pass the filter and hold every word of the search. */
export function listed(servers: readonly Server[], filter: ServerFilter, search: string): Server[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return inOrder(servers).filter((server) => {
    if (!serverFilters[filter].has(stateOf(server))) return false
    const text = [server.name, server.friendly_name, server.description, addressOf(server)]
      .join('\n')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
