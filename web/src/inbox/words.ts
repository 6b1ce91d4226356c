// What the inbox says about items: who asks, what for, how it ended. The page of one
// item, drawn by the server, says the same (internal/web/item_words.go).
import { isYesNo, type Form } from '../lib/schema'
import { signInEnd, signInTitle } from '../signin/words'
import type { Asker, Item, Resolution } from '../lib/wire'

const askers = new Map([
  ['person', 'the Tools page'],
  ['token', 'a script'],
  ['agent', 'a chat'],
  ['subagent', 'a sub-agent'],
  ['gateway', 'a client'],
  ['trigger', 'a trigger'],
  ['schedule', 'a schedule'],
])

/** What the API calls the token of the environment, which has no name of its own. */
const environmentToken = 'KONTOR_API_TOKEN'

/** "for client Zed on laptop", "for a script (KONTOR_API_TOKEN)": whose call it is that waits; "" when several may. */
export function forWhom({ kind, label }: Asker): string {
  if (!kind) return ''
  const words = askers.get(kind) ?? kind
  if (!label || kind === 'person') return `for ${words}`
  if (kind === 'token') return `for ${tokenWords(label)}`
  const name = kind === 'gateway' ? label : `“${label}”`
  return `for ${words.replace(/^a /, '')} ${name}`
}

function tokenWords(label: string): string {
  return label === environmentToken ? `a script (${label})` : `token “${label}”`
}

/** What an item wants, in a few words. `server` is what the person calls its server. */
export function titleOf(item: Item, form: Form | null, server = item.server): string {
  if (item.kind === 'sign_in') return signInTitle(item.reason, server)
  if (item.kind !== 'elicitation') return kindTitles[item.kind]
  if (item.mode === 'url') return 'Open a page to go on'
  if (!form || form.jsonOnly || form.open) return 'Answer as JSON'
  if (isYesNo(form)) return isShort(item.message) ? item.message : 'Yes or no?'
  const [field] = form.fields
  return form.fields.length === 1 && field ? field.label : `${form.fields.length} details are needed`
}

/** Whether a message fits into a title. */
export function isShort(message: string): boolean {
  return message !== '' && message.length <= 120 && !message.includes('\n')
}

const kindTitles: Record<Exclude<Item['kind'], 'elicitation' | 'sign_in'>, string> = {
  approval: 'Approval',
  question: 'Question',
  notification: 'Notification',
  finding: 'Finding',
}

const actions: Record<Resolution['action'], string> = {
  accept: 'was accepted',
  decline: 'was declined',
  cancel: 'was cancelled',
}

/** How it ended: "was accepted in another tab". */
export function howItEnded(
  { action, by }: Resolution,
  mine: boolean,
  kind: Item['kind'] = 'elicitation',
): string {
  if (kind === 'sign_in') return signInEnd(action, by)
  if (mine) return `${actions[action]}.`
  switch (by) {
    case 'you':
      return `${actions[action]} in another tab.`
    case 'time limit':
      return 'was cancelled: its time was up.'
    case 'call ended':
      return 'is no longer needed: the call ended.'
    case 'server':
      return 'was taken back by the server.'
    case 'restart':
    case 'shutdown':
      return 'was cancelled by a restart.'
    case environmentToken:
      return `${actions[action]} by ${tokenWords(by)}.`
    default:
      return `${actions[action]} by ${by}.`
  }
}

/** What a screen reader says when something new arrives. */
export function announcement(item: Item | null, servers: { title: (name: string) => string }): string {
  if (!item) return ''
  const whom = forWhom(item.asker)
  const what = item.kind === 'sign_in' ? 'needs a sign-in' : 'asks'
  return `New in the inbox: ${servers.title(item.server)} ${what}${whom && `, ${whom}`}.`
}
