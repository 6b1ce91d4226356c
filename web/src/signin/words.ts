// What is said about signing in to a server: why, what for, how far it is.
import KeyRound from '@lucide/svelte/icons/key-round'
import Check from '@lucide/svelte/icons/check'
import CircleMinus from '@lucide/svelte/icons/circle-minus'
import { clock, date } from '../lib/time'
import { sendsToken } from '../servers/values'
import { sentence } from '../servers/words'
import type { Auth, Server, SignInItem } from '../lib/wire'
import type { StateLook } from '../ui/states'

/** Why a sign-in is needed; "" while none is. */
export type Reason = Auth['reason']

/** The page that says who asks for what and leads to the authorization server, for a tab of its own, which it closes when all is done. */
export function signInHref(server: string): string {
  return `/signin/${encodeURIComponent(server)}?tab=own`
}

/** The scopes that aren't granted yet; all of them when a server refuses what it granted. */
export function missing(wanted: readonly string[], granted: readonly string[]): string[] {
  const lack = wanted.filter((scope) => !granted.includes(scope))
  return lack.length > 0 ? lack : [...wanted]
}

/** "one more right", "2 more rights". */
export function moreRights(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'more rights'
  return scopes.length === 1 ? 'one more right' : `${scopes.length} more rights`
}

/** Why, in two words for a chip. `lack` are the scopes that aren't granted. */
export function reasonChip(reason: Reason, lack: readonly string[]): string {
  switch (reason) {
    case 'expired':
      return 'sign-in ended'
    case 'more_rights':
      return moreRights(lack)
    case 'signed_out':
      return 'signed out'
    case 'token_refused':
      return 'token refused'
    case 'first_time':
    case '':
      return 'first time'
  }
}

/** Why, in a sentence or two. `message` are Kontor's words on this very case, where it has any. */
export function reasonWords(reason: Reason, message: string, title: string): string {
  switch (reason) {
    case 'expired':
      return sentence(message) || `Your sign-in to ${title} has ended, and can’t be renewed without you.`
    case 'more_rights':
      return `${title} wants more rights than you have granted.`
    case 'signed_out':
      return `You signed out of ${title}. Its tools can be used once you sign in again.`
    case 'token_refused':
      return `${title} doesn’t take the token that is in its settings. Put in another, or clear it to sign in instead.`
    case 'first_time':
    case '':
      return `${sentence(message) || `${title} asks for a sign-in.`} Its tools are there once you have signed in.`
  }
}

/** What a sign-in item is called: "Sign in to GitHub", "GitHub’s token is refused". */
export function signInTitle(reason: SignInItem['reason'], title: string): string {
  return reason === 'token_refused' ? `The token for ${title} is refused` : `Sign in to ${title}`
}

/** How a sign-in item ended, behind its title. */
export function signInEnd(action: string, by: string): string {
  if (action === 'accept') return 'is done.'
  if (by.startsWith('Kontor:')) return 'is no longer needed.'
  return by === 'time limit' ? 'was not done in time.' : 'was given up.'
}

/** How far the sign-in to a server is. */
export type Phase = 'own_token' | 'token_refused' | 'none' | 'needs' | 'signed_in' | 'step_up' | 'signed_out'

export function phaseOf(server: Server): Phase {
  const { auth, state } = server.status
  const needs = server.enabled && state === 'needs_sign_in'
  if (sendsToken(server)) return needs ? 'token_refused' : 'own_token'
  if (auth.state === 'signed_in') return auth.step_up.length > 0 ? 'step_up' : 'signed_in'
  if (auth.state === 'signed_out') return 'signed_out'
  return auth.state === 'needs_sign_in' || needs ? 'needs' : 'none'
}

export const phases: Record<Phase, StateLook> = {
  own_token: { word: 'token in the settings', tone: 'idle', icon: KeyRound },
  token_refused: { word: 'token refused', tone: 'warn', icon: KeyRound },
  none: { word: 'not asked for', tone: 'idle', icon: CircleMinus },
  needs: { word: 'needs sign-in', tone: 'warn', icon: KeyRound },
  signed_in: { word: 'signed in', tone: 'good', icon: Check },
  step_up: { word: 'signed in, more rights wanted', tone: 'warn', icon: KeyRound },
  signed_out: { word: 'signed out', tone: 'idle', icon: CircleMinus },
}

/** Whether a browser is on its way just now. */
export function isPending(auth: Pick<Auth, 'pending_until'> | undefined, now: number): boolean {
  const until = auth?.pending_until ?? null
  return until !== null && Date.parse(until) > now
}

/** Tokens are got without a person. */
export function isMachine(server: Pick<Server, 'oauth'>): boolean {
  const { grant = '' } = server.oauth
  return grant !== '' && grant !== 'authorization_code'
}

/** How long the sign-in lasts. */
export function lastsWords({ state, expires_at: end, renewable }: Auth, now: number): string {
  if (state !== 'signed_in') return ''
  if (!end) return renewable ? 'as long as Kontor renews it, by itself' : 'until the server refuses it'
  const rest = Date.parse(end) - now
  if (rest <= 0) return renewable ? 'renewed at the next call' : 'over: sign in again'
  return `until ${day(end, now)}, ${renewable ? 'renewed by itself before' : 'then you sign in again'}`
}

function day(at: string, now: number): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return today ? clock(at) : `${date(at, now)}, ${clock(at)}`
}
