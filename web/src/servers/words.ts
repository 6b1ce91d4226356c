// What the list and a server's page say in words: cause, fix, what comes next.
import { duration } from '../lib/time'
import type { Server } from '../lib/wire'
import { joinWords } from './command'
import { sendsToken } from './values'

type Status = Server['status']

/** How it is reached, as one line. */
export function addressOf(server: Pick<Server, 'transport' | 'url' | 'command' | 'args'>): string {
  return server.transport === 'http' ? server.url : joinWords([server.command, ...server.args])
}

/** Words of the API as a sentence of their own. */
export function sentence(words: string): string {
  const text = words.trim()
  if (text === '') return ''
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…”"]$/.test(start) ? start : `${start}.`
}

export interface Trouble {
  cause: string
  fix: string
  code: string
}

/** What is wrong with a server right now, or null. */
export function troubleOf(server: Server): Trouble | null {
  const { state, last_error: error, auth } = server.status
  if (server.enabled && state === 'ready' && auth.step_up.length > 0) {
    return { cause: sentence(auth.message), fix: 'Sign in again to grant them.', code: 'step_up' }
  }
  if (!server.enabled || (state !== 'failed' && state !== 'needs_sign_in')) return null
  if (state === 'needs_sign_in') {
    const cause = sentence(error?.message ?? 'the server asks for a sign-in')
    return sendsToken(server)
      ? { cause, fix: 'Put another token into its settings, or clear it to sign in.', code: 'token_refused' }
      : { cause, fix: 'Its tools can’t be used until you sign in.', code: 'needs_sign_in' }
  }
  if (error) {
    return { cause: sentence(inOurWords(error.message)), fix: sentence(error.fix ?? ''), code: error.code }
  }
  return { cause: 'It stopped without giving a reason.', fix: 'Its log may say more.', code: '' }
}

/** A setting as the form calls it, where the message begins with its name on the wire. */
function inOurWords(message: string): string {
  return message
    .replace(/^bearer_token\b/, 'token')
    .replace(/^env (?=\w+:)/, 'variable ')
    .replace(/^url\b/, 'address')
}

/** What Kontor does next about a server that isn't ready: two short lines. */
export function nextTry(status: Status, now: number): { what: string; when: string } {
  const tries = status.attempts > 0 ? `try ${status.attempts}` : ''
  if (status.state === 'connecting') {
    return { what: tries || 'first try', when: `for ${seconds(now - Date.parse(status.since))}` }
  }
  if (status.state !== 'failed') return { what: '', when: '' }
  if (!status.next_attempt_at) return { what: tries && `after ${tries}`, when: 'given up' }
  const left = Date.parse(status.next_attempt_at) - now
  return { what: tries, when: left > 0 ? `next in ${seconds(left + 999)}` : 'trying now' }
}

/** A length of time in whole seconds, for what counts up or down. */
export function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  return whole < 10 ? `${whole} s` : duration(whole * 1000)
}

/** How the protocol's era works, beside its version. */
export function eraWords(era: Status['era']): string {
  return { '': '', legacy: 'one session', modern: 'no session' }[era]
}

/** "1 tool", "3 tools", "2 of 3 tools". */
export function count(n: number, noun: string, of = n): string {
  const number = new Intl.NumberFormat(undefined)
  const parts = of === n ? number.format(n) : `${number.format(n)} of ${number.format(of)}`
  return `${parts} ${noun}${of === 1 ? '' : 's'}`
}
