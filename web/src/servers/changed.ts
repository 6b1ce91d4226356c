// The tools of a server whose definition is no longer the one that the person knows.
import { brief } from '../card/fold'
import { errorText } from '../lib/api'
import { ago } from '../lib/time'
import type { Tool } from '../lib/wire'

export interface Changed {
  tool: Tool
  change: NonNullable<Tool['changed']>
}

/** Those that changed last come first. */
export function changedOf(tools: readonly Tool[]): Changed[] {
  return tools
    .flatMap((tool) => (tool.changed ? [{ tool, change: tool.changed }] : []))
    .sort((a, b) => b.change.at.localeCompare(a.change.at))
}

/** "“Correct ledger entries” is not what it was.", for one tool or several. */
export function changedWords(changed: readonly Changed[]): string {
  const [first, ...others] = changed
  if (!first) return ''
  const title = brief(first.tool.title || first.tool.tool, 80)
  if (others.length === 0) return `“${title}” is not the tool that you know.`
  return `${changed.length} tools are not what you know them as.`
}

/** What came of accepting so many changes at once: all of them, or which not and why. */
export function acceptedWords(asked: number, refused: readonly { tool: Tool; error: unknown }[]): string {
  const [first, ...others] = refused
  if (!first) return `${asked} changes were accepted.`
  const rest = others.length > 0 ? ` (and ${others.length} more)` : ''
  const title = first.tool.title || first.tool.tool
  return `${asked - refused.length} of ${asked} changes were accepted. Not ${title}${rest}: ${errorText(first.error)}`
}

/** When something happened, behind a verb: "changed just now", "changed 3 h ago". */
export function recently(at: string | number, now: number): string {
  const words = ago(at, now)
  return words === 'now' ? 'just now' : words
}
