// What the chat page says: notes, how answers ended, what built-in tools did.
import { formatBytes } from '../lib/bytes'
import { isObject, type Json } from '../lib/json'
import type { Message, Part, Session, ToolGroup } from '../lib/wire'
import type { Tone } from '../ui/states'

export function titleOf({ title }: Pick<Session, 'title'>): string {
  return title || 'Untitled chat'
}

/** How long it is until a model is asked again. */
export function countDown(until: string, now: number): string {
  const wait = Math.ceil((Date.parse(until) - now) / 1000)
  return wait > 0 ? `Trying again in ${wait} s.` : 'Tried again.'
}

/** A part's text as the person reads it: some of it was written to the model. nameOf gives a group's title. */
export function noteText(
  { code = '', text = '', switched }: Part,
  nameOf = (group: string) => group,
): string {
  if (code === 'restarted')
    return 'Kontor was restarted. It goes on once you have answered what waits for you.'
  if (code === 'stopped') return 'You stopped it'
  if (switched) {
    const line = (how: string, names: readonly string[] = []) =>
      names.length > 0 ? [`You switched ${how}: ${names.map(nameOf).join(', ')}.`] : []
    return [...line('on', switched.on), ...line('off', switched.off)].join(' ')
  }
  return text || (notes.get(code) ?? '')
}

const notes = new Map([
  ['interrupted', 'Kontor was restarted, and the answer ended there'],
  ['stopped', 'You stopped it'],
  ['capabilities_changed', 'The tools have changed'],
  ['length', 'The answer reached its limit'],
  ['filtered', 'The answer was withheld'],
  ['rounds', 'It took too many steps'],
  ['compaction_failed', 'What was said before could not be summarised'],
  ['retrying', 'The model didn’t answer. It is asked again'],
])

const warnings = new Set(['interrupted', 'length', 'filtered', 'rounds', 'compaction_failed'])

/** A note that a person should not overlook. */
export function noteTone(code = ''): Tone {
  return warnings.has(code) ? 'warn' : 'idle'
}

/** Whether an answer that failed so is put right in the settings of the models. */
export function isModelTrouble(code: string): boolean {
  return modelTroubles.has(code)
}

const modelTroubles = new Set([
  ...['key_refused', 'no_credit', 'model_unknown', 'no_tools', 'bad_request', 'unreachable', 'not_found'],
  'too_many_tools',
])

/** What a message says. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text = '' }) => text)
    .join('\n\n')
}

/** What would happen with a press of the button at the end of an idle chat; null when nothing is to be gone on with. */
export function goOn(messages: readonly Message[]): 'Go on' | 'Answer again' | 'Try again' | null {
  const codes = new Set<string>()
  for (const message of [...messages].reverse()) {
    if (message.role === 'note') {
      for (const { code } of message.parts) if (code) codes.add(code)
      continue
    }
    if (codes.has('interrupted')) return 'Go on'
    if (message.error) return 'Try again'
    if (message.role === 'tool') return codes.size > 0 ? 'Go on' : 'Try again'
    if (message.role !== 'assistant')
      return message.parts.some(({ kind }) => kind === 'call') ? null : 'Try again'
    // What was stopped halfway is taken back and answered from its beginning.
    if (message.finish === 'stopped') return 'Answer again'
    if (message.finish === 'length') return 'Go on'
    return message.finish === 'failed' ? 'Try again' : message.finish === 'tools' ? 'Go on' : 'Answer again'
  }
  return null
}

/** One line about a built-in tool: what was done, and with what. */
export function builtIn(name: string, args: Json, done: boolean): { did: string; what: string } {
  const words = verbs[name]
  const given = isObject(args) ? args : {}
  if (!words) return { did: name, what: '' }
  return { did: done ? words.did : words.does, what: words.what(given) }
}

type Given = Record<string, Json>

const text = (value: Json | undefined) => (typeof value === 'string' ? value : '')
const list = (value: Json | undefined) => (Array.isArray(value) ? value.map(text).join(', ') : text(value))
const quoted = (value: Json | undefined) => (text(value) ? `“${text(value)}”` : '')

const verbs: Record<string, { does: string; did: string; what: (given: Given) => string }> = {
  activate_tools: {
    does: 'Switching on tools',
    did: 'Switched on tools',
    what: ({ groups }) => list(groups),
  },
  search_tools: { does: 'Searching tools', did: 'Searched tools', what: ({ query }) => quoted(query) },
  ask_user: { does: 'Asks you', did: 'Asked you', what: ({ question }) => quoted(question) },
  notify: {
    does: 'Notifying you',
    did: 'Notified you',
    what: ({ title, message }) => quoted(title ?? message),
  },
  dispatch_agent: { does: 'Sub-agent', did: 'Sub-agent', what: ({ agent }) => text(agent) },
  read_resource: { does: 'Reading a resource', did: 'Read a resource', what: ({ uri }) => text(uri) },
  get_prompt: { does: 'Getting a prompt', did: 'Got a prompt', what: ({ name }) => text(name) },
  read_result: { does: 'Reading more of a result', did: 'Read more of a result', what: () => '' },
  list_items: {
    does: 'Listing what is set up',
    did: 'Listed what is set up',
    what: ({ type }) => text(type),
  },
  list_secrets: {
    does: 'Listing names of secrets',
    did: 'Listed names of secrets',
    what: ({ pattern }) => text(pattern),
  },
  set_secret: {
    does: 'Asks you for a secret',
    did: 'Asked you for a secret',
    what: ({ name }) => text(name),
  },
}

/** The person's answer in what a model got of ask_user; "" when they gave none. */
export function answerIn(result: string): string {
  return /^The person answered: (.+)$/s.exec(result)?.[1] ?? ''
}

/** The first line of why it failed: a row has no room for more. */
export function reasonOf({ fault }: Pick<Part, 'fault'>, result: Pick<Part, 'text'> | undefined): string {
  return (fault ?? result?.text ?? '').trim().split('\n')[0] ?? ''
}

/** What came of switching tools on: "demo, github (needs a sign-in)". */
export function activated(result: string): string {
  const lines = [...result.matchAll(/^(.+?): (\w+): /gm)]
  return lines
    .map(([, name = '', state = '']) => {
      const trouble = troubles.get(state)
      return trouble ? `${name} (${trouble})` : name
    })
    .join(', ')
}

const troubles = new Map([
  ['needs_sign_in', 'needs a sign-in'],
  ['disabled', 'switched off'],
  ['unavailable', 'can’t be reached'],
  ['not_allowed', 'not for this agent'],
  ['unknown', 'unknown'],
])

/** "The model got 12 KB of 40 KB"; "" when it got all of it. */
export function cutText({ cut }: Pick<Part, 'cut'>): string {
  if (!cut || cut.shown >= cut.total) return ''
  return `The model got ${formatBytes(cut.shown)} of ${formatBytes(cut.total)}.`
}

/** "41k", "980": how many tokens, roughly. */
export function tokens(count: number): string {
  if (count < 1000) return String(count)
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`
}

/** What the tools that are on add to each request. */
export function priceOf(groups: readonly ToolGroup[]): number {
  return groups.reduce((sum, { active, tokens }) => sum + (active ? tokens : 0), 0)
}

/** Why a group can't be used now, in two or three words; "" when it can. */
export function groupTrouble(state: ToolGroup['state']): string {
  return {
    ready: '',
    connecting: 'connecting',
    failed: 'can’t be reached',
    needs_sign_in: 'needs a sign-in',
    disabled: 'switched off',
    not_allowed: 'not for this agent',
  }[state]
}
