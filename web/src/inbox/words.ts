// What the inbox says about items: who asks, what for, how it ended. The page of one
// item, drawn by the server, says the same (internal/web/item_words.go).
import { brief } from '../card/fold'
import { href } from '../lib/route'
import { isYesNo, type Form } from '../lib/schema'
import { signInEnd, signInTitle } from '../signin/words'
import { writtenOut } from '../lib/invisible'
import type { Approval, Asker, Elicitation, Item, ItemKind, Resolution } from '../lib/wire'

const askers = new Map([
  ['person', 'the Tools page'],
  ['token', 'a script'],
  ['agent', 'an agent'],
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
  return `for ${words.replace(/^an? /, '')} ${name}`
}

function tokenWords(label: string): string {
  return label === environmentToken ? `a script (${label})` : `token “${label}”`
}

/** Kontor's own tools stand under this name where others have their server's. */
export const ownTools = 'config'

interface Titles {
  title: (server: string) => string
}

/** Who an item comes from: a server as the person calls it, an agent, or Kontor itself. */
export function sender(item: Item, servers: Titles): string {
  if (item.server !== '' && item.server !== ownTools) return servers.title(item.server)
  const said = item.kind === 'question' || item.kind === 'notification' || item.kind === 'finding'
  return said && fromAgent(item.asker) ? 'The agent' : 'Kontor'
}

/** The chat that an item belongs to; "" when there is none. */
export function chatHref({ session_id, asker }: Item): string {
  return fromAgent(asker) && session_id ? href({ page: 'chats', id: session_id }) : ''
}

/** What an approval covers that goes beyond the one call, where its button doesn't say so. */
export function reachOf(item: Approval): string {
  if (item.once_only || !item.session_id) return ''
  return `“For this ${chatHref(item) ? 'chat' : 'session'}” covers this tool, with any arguments.`
}

/** Whether a chat's agent asks, or one that it sent. */
export function fromAgent({ kind }: Asker): boolean {
  return kind === 'agent' || kind === 'subagent'
}

/** Whose call it is, and in which chat: an agent is known by its chat, a sub-agent by its name as well. */
export function whoWaits(
  item: Item,
  chats: { title: (id: string) => string },
): { who: string; chat: string } {
  const who = forWhom(item.asker)
  if (!chatHref(item)) return { who, chat: '' }
  const title = chats.title(item.session_id)
  const chat = title ? `chat “${brief(title, 80)}”` : 'a chat'
  return item.asker.kind === 'agent' ? { who: '', chat: `for ${chat}` } : { who, chat: `in ${chat}` }
}

/** What an item wants, in a few words. `server` is what the person calls its server. */
export function titleOf(item: Item, form: Form | null, server = item.server): string {
  switch (item.kind) {
    case 'sign_in':
      return signInTitle(item.reason, server)
    case 'approval':
      return writtenOut(brief(item.title || item.tool, 120))
    case 'question':
      return isShort(item.message) ? item.message : 'A question'
    case 'notification':
      return headline(item.message).title || 'A message'
    case 'finding':
      return headline(item.message).title || 'Finding'
    case 'elicitation':
      return elicitationTitle(item, form)
  }
}

function elicitationTitle(item: Elicitation, form: Form | null): string {
  if (item.mode === 'url') return 'Open a page to go on'
  if (!form || form.jsonOnly || form.open) return 'Answer as JSON'
  if (isYesNo(form)) return isShort(item.message) ? item.message : 'Yes or no?'
  const [field] = form.fields
  return form.fields.length === 1 && field ? field.label : `${form.fields.length} details are needed`
}

/** A message's first line, where it can be a title, and what follows. */
export function headline(message: string): { title: string; rest: string } {
  const [first = '', ...lines] = message.trim().split('\n')
  return isShort(first) ? { title: first, rest: lines.join('\n').trim() } : { title: '', rest: message }
}

/** Whether a message fits into a title. */
export function isShort(message: string): boolean {
  return message !== '' && message.length <= 120 && !message.includes('\n')
}

/** What was done with an item, by its kind. */
function done({ action, scope }: Resolution, kind: ItemKind): string {
  if (action === 'cancel') return 'was cancelled'
  switch (kind) {
    case 'approval':
      if (action === 'decline') return 'was rejected'
      return (
        { session: 'was approved for this chat', always: 'was allowed for good' }[scope ?? ''] ??
        'was approved once'
      )
    case 'question':
      return action === 'accept' ? 'was answered' : 'was declined'
    case 'notification':
    case 'finding':
      return 'was dismissed'
    case 'elicitation':
    case 'sign_in':
      return action === 'accept' ? 'was accepted' : 'was declined'
  }
}

/** How it ended: "was accepted in another tab". */
export function howItEnded(resolution: Resolution, mine: boolean, kind: ItemKind = 'elicitation'): string {
  const { action, by } = resolution
  if (kind === 'sign_in') return signInEnd(action, by)
  const ended = done(resolution, kind)
  if (mine) return `${ended}.`
  switch (by) {
    case 'you':
      return `${ended} in another tab.`
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
      return `${ended} by ${tokenWords(by)}.`
    default:
      return `${ended} by ${by}.`
  }
}

/** What an item does, behind who it comes from: "asks", "needs a sign-in". */
export function doing({ kind }: Item): string {
  const words: Partial<Record<ItemKind, string>> = {
    approval: 'needs your approval',
    sign_in: 'needs a sign-in',
    notification: 'has a message',
    finding: 'has a finding',
  }
  return words[kind] ?? 'asks'
}

/** What a screen reader says when something new arrives. */
export function announcement(item: Item | null, servers: Titles): string {
  if (!item) return ''
  const whom = forWhom(item.asker)
  return `New in the inbox: ${sender(item, servers)} ${doing(item)}${whom && `, ${whom}`}.`
}
