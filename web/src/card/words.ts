// A call in words: where it stands, how long, who asked, and what to do now.
import { isNumber, numberText } from '../lib/json'
import { clock, date, duration } from '../lib/time'
import type { Call, CallState } from '../lib/wire'
import { callStates, toolError, type StateLook } from '../ui/states'

const open: Record<CallState, boolean> = {
  waiting_approval: true,
  running: true,
  waiting_input: true,
  done: false,
  failed: false,
  cancelled: false,
  rejected: false,
  unknown: false,
}

/** Whether the call is still on its way. */
export function isOpen(state: CallState): boolean {
  return open[state]
}

export function isWaiting(state: CallState): boolean {
  return state === 'waiting_approval' || state === 'waiting_input'
}

/** The call did not bring what was asked for. */
export function isBad({ state, is_error }: Pick<Call, 'state' | 'is_error'>): boolean {
  return state === 'failed' || state === 'unknown' || (state === 'done' && is_error)
}

export function callLook(call: Pick<Call, 'state' | 'is_error'>): StateLook {
  return call.state === 'done' && call.is_error ? toolError : callStates[call.state]
}

/** The first letter of a tool's state colour class (st-done, st-run, …). */
export function stateClass(call: Pick<Call, 'state' | 'is_error'>): string {
  const { tone } = callLook(call)
  return { good: 'st-done', run: 'st-run', warn: 'st-wait', bad: 'st-fail', idle: 'st-idle' }[tone]
}

type Timed = Pick<Call, 'state' | 'started_at' | 'ended_at' | 'waited_ms'>

/** How long it ran, or has been running: "0.42 s", "0:14". "" while its clock stands still. */
export function timeTaken(call: Timed, now: number): string {
  if (call.ended_at !== null) return duration(ranFor(call))
  return call.state === 'running' ? running(ranFor(call, now)) : ''
}

/** How many ms it ran until its end, or until now: without what it waited for the person. */
export function ranFor({ started_at, ended_at, waited_ms = 0 }: Timed, now = 0): number {
  const end = ended_at === null ? now : new Date(ended_at).getTime()
  return Math.max(0, end - new Date(started_at).getTime() - waited_ms)
}

/** "waited 30 s for you"; "" when it did so for less than a second. */
export function waitedWords({ waited_ms = 0 }: Pick<Call, 'waited_ms'>): string {
  return waited_ms < 1000 ? '' : `waited ${duration(waited_ms)} for you`
}

function running(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** "14:02" today, with its day before. */
export function startedAt(at: string, now: number): string {
  const day = new Date(at).toDateString()
  if (day === new Date(now).toDateString()) return `today ${clock(at)}`
  return `${date(at, now)} ${clock(at)}`
}

/** 0 to 100, or null when the server doesn't say how much there is. */
export function percent({ progress, total }: NonNullable<Call['progress']>): number | null {
  const [now, all] = [Number(numberOf(progress)), Number(numberOf(total))]
  if (!(all > 0) || !Number.isFinite(now / all)) return null
  return Math.min(100, Math.max(0, (now / all) * 100))
}

/** "62 %", or the bare figure where there is no total. */
export function progressText(progress: NonNullable<Call['progress']>): string {
  const share = percent(progress)
  return share === null ? numberOf(progress.progress) : `${Math.floor(share)} %`
}

function numberOf(value: unknown): string {
  return isNumber(value) ? numberText(value) : ''
}

/** What a person can do about a call that got no answer. */
export type Remedy = 'sign_in' | 'server' | 'enable' | 'edit' | 'again' | 'none'

const remedies: Record<string, Remedy> = {
  server_unavailable: 'server',
  needs_sign_in: 'sign_in',
  insufficient_scope: 'sign_in',
  disabled: 'enable',
  denied: 'none',
  timeout: 'again',
  protocol: 'server',
  server_error: 'edit',
  invalid: 'edit',
  too_large: 'edit',
  missing_variable: 'server',
  rejected: 'none',
}

export function remedy(code: string): Remedy {
  return remedies[code] ?? 'again'
}

/** Whether what is said of the outcome leads to another run with other arguments. */
export function leadsAgain({ state, is_error, error }: Pick<Call, 'state' | 'is_error' | 'error'>): boolean {
  if (state === 'done') return is_error
  const way = error ? remedy(error.code) : 'none'
  return state !== 'unknown' && (way === 'edit' || way === 'again')
}

/** An error's words, which begin small, as a sentence of its own. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return capital === '' || /[.!?…)\]"”]$/.test(capital) ? capital : `${capital}.`
}

/** The cause in bold words; the server's or Kontor's own sentence follows it. */
export function causeTitle({ state, error }: Pick<Call, 'state' | 'error'>): string {
  if (state === 'unknown') return 'Outcome unknown.'
  if (state === 'cancelled') return 'Stopped.'
  if (state === 'rejected') return 'Rejected.'
  const titles: Record<string, string> = {
    server_unavailable: 'The server could not be reached.',
    needs_sign_in: 'The server needs a sign-in.',
    insufficient_scope: 'The sign-in has too few rights.',
    disabled: 'It is switched off.',
    denied: 'A policy denies it.',
    timeout: 'It took too long.',
    protocol: 'The answer could not be understood.',
    server_error: 'The server refused the call.',
    too_large: 'The answer is too large.',
  }
  return titles[error?.code ?? ''] ?? 'The call failed.'
}
