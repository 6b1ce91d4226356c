// What the inbox says about items: who asks, what for, how it ended.
import { isYesNo, type Form } from '../lib/schema'
import type { Asker, Item, Resolution } from '../lib/wire'

const askers: Record<string, string> = {
  person: 'the Tools page',
  token: 'the API',
  agent: 'a chat',
  subagent: 'a sub-agent',
  gateway: 'a client',
  trigger: 'a trigger',
  schedule: 'a schedule',
}

/** "for client Zed on laptop": whose call it is that waits. */
export function forWhom({ kind, label }: Asker): string {
  const words = askers[kind] ?? kind
  if (!label || kind === 'person') return `for ${words}`
  return `for ${words.replace(/^(a|the) /, '')} ${label}`
}

/** What an elicitation wants, in a few words. */
export function titleOf(item: Item, form: Form | null): string {
  if (item.kind !== 'elicitation') return kindTitles[item.kind]
  if (item.mode === 'url') return 'Open a page to go on'
  if (!form || form.jsonOnly || form.open) return 'Answer as JSON'
  if (isYesNo(form)) return isShort(item.message) ? item.message : 'Yes or no?'
  const [field] = form.fields
  return form.fields.length === 1 && field ? field.label : `${form.fields.length} details are needed`
}

/** Whether a message fits into a title. */
export function isShort(message: string): boolean {
  return message.length <= 120 && !message.includes('\n')
}

const kindTitles: Record<Exclude<Item['kind'], 'elicitation'>, string> = {
  approval: 'Approval',
  question: 'Question',
  sign_in: 'Sign-in',
  notification: 'Notification',
  finding: 'Finding',
}

const actions: Record<Resolution['action'], string> = {
  accept: 'was accepted',
  decline: 'was declined',
  cancel: 'was cancelled',
}

/** How it ended: "was accepted in another tab". */
export function howItEnded({ action, by }: Resolution, mine: boolean): string {
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
      return 'was cancelled by a restart.'
    default:
      return `${actions[action]} by ${by}.`
  }
}

/** What a screen reader says when something new arrives. */
export function announcement(item: Item | null, servers: { title: (name: string) => string }): string {
  return item ? `New in the inbox: ${servers.title(item.server)} asks, ${forWhom(item.asker)}.` : ''
}
