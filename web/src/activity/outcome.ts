// How a call came out, as a person chooses it. A tool's own error is no state of its call.
import type { CallFilter } from '../state/calllist.svelte'
import type { CallState } from '../lib/wire'
import { callStates, toolError } from '../ui/states'

const states: CallState[] = ['waiting_input', 'running', 'done', 'failed', 'unknown', 'cancelled', 'rejected']

/** What can be chosen, in the order of the list; the value is part of the address. */
export const outcomes = states.flatMap((value) => {
  const one = { value: value as string, label: callStates[value].word }
  return value === 'done' ? [one, { value: 'tool_error', label: toolError.word }] : [one]
})

/** The calls that came out so; all of them for a word that is no outcome. */
export function filterOf(outcome: string): CallFilter {
  if (outcome === 'tool_error') return { state: 'done', is_error: true }
  if (outcome === 'done') return { state: 'done', is_error: false }
  const state = states.find((name) => name === outcome)
  return state ? { state } : {}
}
