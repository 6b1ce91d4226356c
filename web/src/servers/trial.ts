// A configuration that was tried: how far it came, in words.
import { duration } from '../lib/time'
import type { Stage, Trial } from '../lib/wire'

/** What each stage is called. */
export const stageNames: Record<Stage['stage'], string> = {
  parse: 'Settings',
  variables: 'Variables',
  dns: 'Look-up',
  tcp: 'Connect',
  tls: 'TLS',
  spawn: 'Spawn',
  era: 'Era',
  authorization: 'Sign-in',
  handshake: 'Handshake',
  lists: 'List',
  stream: 'Stream',
}

export interface Course {
  /** The stages that were come to, the one that failed last. */
  reached: Stage[]
  failed: Stage | undefined
  /** The names of those behind it. */
  rest: string[]
  /** One line for all of it. */
  summary: string
}

export function courseOf(stages: readonly Stage[]): Course {
  const reached = stages.filter(({ code }) => code !== 'not_reached')
  const failed = reached.find(({ ok }) => !ok)
  const rest = stages.filter(({ code }) => code === 'not_reached').map(({ stage }) => stageNames[stage])
  const took = duration(stages.reduce((sum, { ms }) => sum + ms, 0))
  const summary = failed
    ? `stopped at step ${reached.length} of ${stages.length}`
    : `all ${stages.length} steps, ${took}`
  return { reached, failed, rest, summary }
}

/** Nothing but a sign-in is missing: that follows once it is saved. */
export function wantsSignIn({ stages }: Trial): boolean {
  return courseOf(stages).failed?.code === 'needs_sign_in'
}

/** How evidence is called: what was kept of a program, or of an answer. */
export function evidenceName({ stage, evidence = '' }: Stage): string {
  if (evidence.startsWith('HTTP ')) return 'What the server answered'
  if (evidence.startsWith('PATH: ')) return 'Where programs are looked for'
  return ['spawn', 'era', 'handshake'].includes(stage) ? 'What it wrote last' : 'What was seen'
}

/** What was seen of it, unless its message says it already, as it does of the PATH. */
export function evidenceOf({ message = '', evidence = '' }: Stage): string {
  return evidence.startsWith('PATH: ') && message.includes(evidence.slice(6)) ? '' : evidence
}
