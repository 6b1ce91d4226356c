// How the states of servers and calls, and what is claimed of tools, look: a shape, a
// word, then a colour.
import Ban from '@lucide/svelte/icons/ban'
import Check from '@lucide/svelte/icons/check'
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CircleMinus from '@lucide/svelte/icons/circle-minus'
import CirclePause from '@lucide/svelte/icons/circle-pause'
import CircleX from '@lucide/svelte/icons/circle-x'
import Eye from '@lucide/svelte/icons/eye'
import Globe from '@lucide/svelte/icons/globe'
import KeyRound from '@lucide/svelte/icons/key-round'
import LoaderCircle from '@lucide/svelte/icons/loader-circle'
import PenLine from '@lucide/svelte/icons/pen-line'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import TriangleAlert from '@lucide/svelte/icons/triangle-alert'
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark'
import type { Component } from 'svelte'
import type { CallState, Claim, ServerState } from '../lib/wire'

export type Tone = 'good' | 'warn' | 'bad' | 'run' | 'idle'
export type Icon = Component<{ class?: string }>

export interface StateLook {
  word: string
  tone: Tone
  icon: Icon
  spin?: boolean
}

export const serverStates: Record<ServerState, StateLook> = {
  ready: { word: 'ready', tone: 'good', icon: Check },
  connecting: { word: 'connecting', tone: 'run', icon: LoaderCircle, spin: true },
  needs_sign_in: { word: 'needs sign-in', tone: 'warn', icon: KeyRound },
  failed: { word: 'failed', tone: 'bad', icon: CircleX },
  disabled: { word: 'disabled', tone: 'idle', icon: Ban },
}

export const callStates: Record<CallState, StateLook> = {
  waiting_approval: { word: 'waiting for you', tone: 'warn', icon: CirclePause },
  waiting_input: { word: 'waiting for you', tone: 'warn', icon: CirclePause },
  running: { word: 'running', tone: 'run', icon: LoaderCircle, spin: true },
  done: { word: 'done', tone: 'good', icon: CircleCheck },
  failed: { word: 'failed', tone: 'bad', icon: CircleX },
  cancelled: { word: 'cancelled', tone: 'idle', icon: CircleMinus },
  rejected: { word: 'rejected', tone: 'idle', icon: Ban },
  unknown: { word: 'outcome unknown', tone: 'warn', icon: CircleQuestionMark },
}

/** A tool that answered, but with an error of its own. */
export const toolError: StateLook = { word: 'tool error', tone: 'bad', icon: CircleX }

/** What a server claims of its tool (MCP tool annotations). */
export const claims: Record<Claim['kind'], Omit<StateLook, 'word'>> = {
  reads: { tone: 'idle', icon: Eye },
  destroys: { tone: 'bad', icon: TriangleAlert },
  silent: { tone: 'warn', icon: CircleQuestionMark },
  spares: { tone: 'idle', icon: PenLine },
  repeatable: { tone: 'idle', icon: RefreshCw },
  outside: { tone: 'idle', icon: Globe },
}

/** A claim as a badge. */
export const badge = (claim: Claim): StateLook => ({ word: claim.words, ...claims[claim.kind] })
