// What a server says about a tool, for whoever is to approve it.
import type { Approval, Claim } from '../lib/wire'

/**
 * How the button looks that approves: filled where the tool just reads, by the word of a
 * server that the person trusts; red where it says that it may destroy; neutral between.
 */
export function approveLook(
  item: Pick<Approval, 'claims' | 'trusted' | 'once_only' | 'definition_changed'>,
): 'main' | 'bad' | undefined {
  const says = (kind: Claim['kind']) => item.claims.some((claim) => claim.kind === kind)
  if (item.once_only || says('destroys')) return 'bad'
  return says('reads') && item.trusted && !item.definition_changed ? 'main' : undefined
}
