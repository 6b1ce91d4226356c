// What was decided about calls, in words.
import Ban from '@lucide/svelte/icons/ban'
import Check from '@lucide/svelte/icons/check'
import CircleMinus from '@lucide/svelte/icons/circle-minus'
import ShieldCheck from '@lucide/svelte/icons/shield-check'
import type { AuditEntry } from '../lib/wire'
import type { StateLook } from '../ui/states'

export const outcomes: Record<AuditEntry['outcome'], StateLook> = {
  allowed: { word: 'allowed', tone: 'good', icon: Check },
  approved: { word: 'approved', tone: 'good', icon: ShieldCheck },
  denied: { word: 'denied', tone: 'bad', icon: Ban },
  rejected: { word: 'rejected', tone: 'bad', icon: Ban },
  cancelled: { word: 'not answered', tone: 'idle', icon: CircleMinus },
}

const scopes: Record<string, string> = {
  once: 'for this once',
  session: 'for the chat',
  always: 'for good',
}

/** Who decided: "by you, for the chat", "by a rule", "by Kontor". */
export function decidedHow({ by, scope, rule_id, outcome }: AuditEntry): string {
  if (outcome === 'approved' || outcome === 'rejected') {
    const far = outcome === 'approved' ? scopes[scope] : ''
    return [`by ${by || 'you'}`, far].filter(Boolean).join(', ')
  }
  if (outcome === 'cancelled') return by
  return rule_id ? 'by a rule' : ''
}
