import { describe, expect, it } from 'vitest'
import type { Item, Resolution } from '../lib/wire'
import { readForm } from '../lib/schema'
import type { Json } from '../lib/json'
import { approval, elicitation, notification, question, signIn } from './testing'
import { announcement, chatHref, forWhom, howItEnded, sender, titleOf, whoWaits } from './words'

describe('forWhom', () => {
  it.each([
    ['person', 'you', 'for the Tools page'],
    ['token', 'KONTOR_API_TOKEN', 'for a script (KONTOR_API_TOKEN)'],
    ['token', 'CI', 'for token “CI”'],
    ['gateway', 'Zed on laptop', 'for client Zed on laptop'],
    ['agent', 'Kontor', 'for agent “Kontor”'],
    ['agent', '', 'for an agent'],
    ['subagent', '', 'for a sub-agent'],
    ['something new', '', 'for something new'],
    ['constructor', '', 'for constructor'],
    ['', '', ''],
  ])('%s %s', (kind, label, want) => {
    expect(forWhom({ kind, label })).toBe(want)
  })
})

it('names nobody where several calls may ask', () => {
  const servers = { title: () => 'Demo' }
  const item = elicitation('a', { asker: { kind: '' } })
  expect(announcement(item, servers)).toBe('New in the inbox: Demo asks.')
  expect(announcement(elicitation('a'), servers)).toBe('New in the inbox: Demo asks, for the Tools page.')
})

it('announces a sign-in as what it is', () => {
  const servers = { title: () => 'Demo' }
  expect(announcement(signIn('a'), servers)).toBe('New in the inbox: Demo needs a sign-in.')
})

it.each([
  ['first_time', 'Sign in to Demo'],
  ['more_rights', 'Sign in to Demo'],
  ['token_refused', 'The token for Demo is refused'],
] as const)('a sign-in is called by its server: %s', (reason, want) => {
  expect(titleOf(signIn('a', { reason }), null, 'Demo')).toBe(want)
})

it.each([
  ['accept', 'you', 'is done.'],
  ['cancel', 'Kontor: it is no longer needed', 'is no longer needed.'],
  ['cancel', 'time limit', 'was not done in time.'],
  ['cancel', 'you', 'was given up.'],
] as const)('a sign-in ended: %s by %s', (action, by, want) => {
  expect(howItEnded({ id: 'a', action, by, at: '2026-11-30T14:00:00.000Z' }, false, 'sign_in')).toBe(want)
})

describe('titleOf', () => {
  const fields = (...names: string[]): Json => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  })
  it.each<[string, Partial<Parameters<typeof elicitation>[1] & object>, string]>([
    ['a link', { mode: 'url', schema: null }, 'Open a page to go on'],
    ['a yes or no', { message: 'Replace the note?' }, 'Replace the note?'],
    ['a long yes or no', { message: 'Replace\nthe note?' }, 'Yes or no?'],
    ['a yes or no unspoken', { message: '' }, 'Yes or no?'],
    ['one field', { schema: fields('mail') }, 'mail'],
    ['several', { schema: fields('mail', 'name') }, '2 details are needed'],
  ])('of %s', (_, more, want) => {
    const item = elicitation('a', more)
    expect(titleOf(item, readForm(item.schema as Json))).toBe(want)
  })
})

it.each([
  ['you', true, 'was declined.'],
  ['you', false, 'was declined in another tab.'],
  ['shutdown', false, 'was cancelled by a restart.'],
  ['KONTOR_API_TOKEN', false, 'was declined by a script (KONTOR_API_TOKEN).'],
])('ended by %s', (by, mine, want) => {
  expect(howItEnded({ id: 'a', action: 'decline', by, at: '2026-11-30T14:00:00.000Z' }, mine)).toBe(want)
})

it.each<[Item, string, string]>([
  [approval('a'), 'SSH box', 'SSH box needs your approval, for client Zed.'],
  [approval('a', { server: 'config' }), 'Kontor', 'Kontor needs your approval, for client Zed.'],
  [elicitation('a', { server: '' }), 'Kontor', 'Kontor asks, for the Tools page.'],
  [question('a'), 'The agent', 'The agent asks, for agent “Kontor”.'],
  [notification('a'), 'The agent', 'The agent has a message, for agent “Kontor”.'],
  [notification('a', { server: 'grafana', asker: { kind: '' } }), 'SSH box', 'SSH box has a message.'],
])('$kind comes from %s', (item, from, told) => {
  const servers = { title: () => 'SSH box' }
  expect(sender(item, servers)).toBe(from)
  expect(announcement(item, servers)).toBe(`New in the inbox: ${told}`)
})

it.each<[Item, string]>([
  [approval('a'), 'Run a command'],
  [approval('a', { title: '' }), 'run_command'],
  [question('a'), 'Which day?'],
  [question('a', { message: 'Which\nday?' }), 'A question'],
  [notification('a', { message: 'Full\nIt holds 87 %.' }), 'Full'],
  [notification('a', { message: '' }), 'A message'],
])('$0.kind is called $1', (item, want) => {
  expect(titleOf(item, null)).toBe(want)
})

it.each<[Item['kind'], Partial<Resolution>, string]>([
  ['approval', { scope: 'once' }, 'was approved once in another tab.'],
  ['approval', { scope: 'session' }, 'was approved for this chat in another tab.'],
  ['approval', { scope: 'always' }, 'was allowed for good in another tab.'],
  ['approval', { action: 'decline' }, 'was rejected in another tab.'],
  ['approval', { action: 'cancel', by: 'call ended' }, 'is no longer needed: the call ended.'],
  ['question', {}, 'was answered in another tab.'],
  ['question', { action: 'decline', by: 'CI' }, 'was declined by CI.'],
  ['notification', {}, 'was dismissed in another tab.'],
])('%s ended', (kind, more, want) => {
  expect(howItEnded({ id: 'a', action: 'accept', by: 'you', at: '', ...more }, false, kind)).toBe(want)
})

it('leads to the chat that an item belongs to', () => {
  expect(chatHref(question('a', { session_id: 'x/y' }))).toBe('/chats/x%2Fy')
  expect(chatHref(approval('a', { session_id: 'mcp' }))).toBe('')
})

it.each<[Item, string, string]>([
  [question('a'), '', 'for chat “Offsite”'],
  [question('a', { session_id: 'new' }), '', 'for a chat'],
  [
    question('a', { asker: { kind: 'subagent', label: 'Researcher' } }),
    'for sub-agent “Researcher”',
    'in chat “Offsite”',
  ],
  [approval('a', { session_id: 'mcp' }), 'for client Zed', ''],
])('says who waits, and in which chat', (item, who, chat) => {
  const chats = { title: (id: string) => (id === 'chat' ? 'Offsite' : '') }
  expect(whoWaits(item, chats)).toEqual({ who, chat })
})
