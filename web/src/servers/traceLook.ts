// How the lines of a trace look: a shape, a word, then a colour.
import ArrowLeft from '@lucide/svelte/icons/arrow-left'
import ArrowRight from '@lucide/svelte/icons/arrow-right'
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CirclePause from '@lucide/svelte/icons/circle-pause'
import CircleX from '@lucide/svelte/icons/circle-x'
import Hourglass from '@lucide/svelte/icons/hourglass'
import Unplug from '@lucide/svelte/icons/unplug'
import type { StateLook } from '../ui/states'
import type { Exchange, Outcome } from './trace'

export const outcomeLooks: Record<Exclude<Outcome, ''>, StateLook> = {
  ok: { word: 'answered', tone: 'good', icon: CircleCheck },
  error: { word: 'error', tone: 'bad', icon: CircleX },
  'tool-error': { word: 'isError', tone: 'bad', icon: CircleX },
  asks: { word: 'asks for input', tone: 'warn', icon: CirclePause },
  lost: { word: 'no answer', tone: 'bad', icon: Unplug },
  unknown: { word: 'answered', tone: 'good', icon: CircleCheck },
}

export interface LineLook extends StateLook {
  /** Whose answer is still out. */
  waiting: 'in' | 'out' | ''
}

export function lookOf({ first, answer }: Exchange): LineLook {
  if (answer?.outcome) return { ...outcomeLooks[answer.outcome], waiting: '' }
  if (first.kind === 'request') {
    return {
      word: 'no answer yet',
      tone: 'idle',
      icon: Hourglass,
      waiting: first.dir === 'out' ? 'in' : 'out',
    }
  }
  return first.dir === 'in'
    ? { word: 'received', tone: 'idle', icon: ArrowLeft, waiting: '' }
    : { word: 'sent', tone: 'idle', icon: ArrowRight, waiting: '' }
}

/** Hours to milliseconds, in the person's own zone. */
export function timeOf(at: string): string {
  return new Intl.DateTimeFormat(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hour12: false,
  }).format(Date.parse(at))
}
