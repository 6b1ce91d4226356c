// How the states of servers and calls, and the hints of tools, look: a shape, a
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
import { isObject, type Json } from '../lib/json'
import type { CallState, ServerState } from '../lib/wire'

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

/** A tool that may do anything for all its server says. */
export const silent: StateLook = { word: 'doesn’t say what it does', tone: 'warn', icon: CircleQuestionMark }

/** What a tool claims about itself (MCP tool annotations), as badges. */
export function hints(annotations: Json): StateLook[] {
  const claims = isObject(annotations) ? annotations : {}
  const looks: StateLook[] = []
  const { readOnlyHint: reads, destructiveHint: destroys } = claims
  if (reads === true) looks.push({ word: 'says it only reads', tone: 'idle', icon: Eye })
  if (destroys === true) looks.push({ word: 'may destroy', tone: 'bad', icon: TriangleAlert })
  else if (reads !== true)
    looks.push(destroys === false ? { word: 'writes', tone: 'idle', icon: PenLine } : silent)
  if (claims['idempotentHint'] === true) looks.push({ word: 'safe to repeat', tone: 'idle', icon: RefreshCw })
  if (claims['openWorldHint'] === true) looks.push({ word: 'reaches outside', tone: 'idle', icon: Globe })
  return looks
}
