// What a server says about a tool, for whoever is to approve it.
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark'
import Eye from '@lucide/svelte/icons/eye'
import Globe from '@lucide/svelte/icons/globe'
import PenLine from '@lucide/svelte/icons/pen-line'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import TriangleAlert from '@lucide/svelte/icons/triangle-alert'
import type { Approval, Claim } from '../lib/wire'
import type { StateLook } from '../ui/states'

const looks: Record<Claim['kind'], Omit<StateLook, 'word'>> = {
  reads: { tone: 'idle', icon: Eye },
  destroys: { tone: 'bad', icon: TriangleAlert },
  silent: { tone: 'warn', icon: CircleQuestionMark },
  spares: { tone: 'idle', icon: PenLine },
  repeatable: { tone: 'idle', icon: RefreshCw },
  outside: { tone: 'idle', icon: Globe },
}

/** A claim as a badge. */
export const badge = (claim: Claim): StateLook => ({ word: claim.words, ...looks[claim.kind] })

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
