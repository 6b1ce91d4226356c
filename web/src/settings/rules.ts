// Rules of what may run: in words, while they are typed, and in another order.
import { ownTools } from '../inbox/words'
import type { Decision, Rule, RuleConfig } from '../lib/wire'

export type Action = Rule['action']

/** A piece of a sentence; code is what is written exactly so. */
export interface Piece {
  text: string
  look?: 'strong' | 'code' | 'faint'
}

export const verbs: Record<Action, string> = { allow: 'Allow', ask: 'Ask first for', deny: 'Never allow' }
export const decisions: Record<Action, { title: string; tone: 'good' | 'warn' | 'bad' }> = {
  allow: { title: 'It would run.', tone: 'good' },
  ask: { title: 'You would be asked first.', tone: 'warn' },
  deny: { title: 'It would be denied.', tone: 'bad' },
}

/** Who can ask for a call, by the API's word. */
export const askers: readonly { value: string; label: string; words: string }[] = [
  { value: 'agent', label: 'An agent in a chat', words: 'an agent asks' },
  { value: 'subagent', label: 'A sub-agent', words: 'a sub-agent asks' },
  { value: 'gateway', label: 'Another MCP client', words: 'another MCP client asks' },
  { value: 'token', label: 'A script with a token', words: 'a script asks' },
  { value: 'trigger', label: 'A trigger', words: 'a trigger asks' },
  { value: 'schedule', label: 'A schedule', words: 'a schedule asks' },
  { value: 'person', label: 'You', words: 'you run it' },
]

type Patterns = Pick<Rule, 'agent' | 'asker' | 'server' | 'tool' | 'action' | 'argument'>

interface Titles {
  title: (server: string) => string
}

/** "Allow | the tool read | of Files | when an agent asks". */
export function ruleSentence(rule: Patterns, servers: Titles): Piece[] {
  return [
    { text: verbs[rule.action], look: 'strong' },
    ...toolPieces(rule.tool),
    ...serverPieces(rule.server, servers),
    ...askerPieces(rule),
    ...argumentPieces(rule.argument),
  ]
}

/** The same as text, for whoever hears it. */
export function ruleText(rule: Patterns, servers: Titles): string {
  return ruleSentence(rule, servers)
    .map(({ text }) => text)
    .join(' ')
}

const isPattern = (text: string) => text.includes('*')
const code = (text: string): Piece => ({ text, look: 'code' })
const faint = (text: string): Piece => ({ text, look: 'faint' })

function toolPieces(tool: string): Piece[] {
  if (tool === '' || /^\*+$/.test(tool)) return [{ text: 'every tool' }]
  return [{ text: isPattern(tool) ? 'tools named' : 'the tool' }, code(tool)]
}

function serverPieces(server: string, servers: Titles): Piece[] {
  if (server === '' || /^\*+$/.test(server)) return [faint('of any server')]
  if (server === ownTools) return [{ text: 'of Kontor itself' }]
  if (isPattern(server)) return [{ text: 'of servers named' }, code(server)]
  return [{ text: `of ${servers.title(server)}` }]
}

function askerPieces({ asker, agent }: Patterns): Piece[] {
  const pieces: Piece[] = []
  if (asker !== '' && !/^\*+$/.test(asker)) {
    const known = askers.find(({ value }) => value === asker)
    pieces.push(
      ...(known ? [{ text: `when ${known.words}` }] : [{ text: 'when the kind of asker is' }, code(asker)]),
    )
  }
  if (agent !== '' && !/^\*+$/.test(agent)) pieces.push({ text: 'for the agent' }, code(agent))
  return pieces
}

function argumentPieces(argument: Patterns['argument']): Piece[] {
  if (!argument) return []
  const { path, pattern, exact } = argument
  if (path === '')
    return [{ text: exact ? 'with exactly these arguments:' : 'with arguments like' }, code(pattern || '…')]
  return [
    { text: 'where' },
    code(path),
    { text: isPattern(pattern) && !exact ? 'is like' : 'is' },
    code(pattern),
  ]
}

/** A rule while it is typed. */
export interface RuleDraft {
  action: Action
  server: string
  tool: string
  asker: string
  agent: string
  /** It asks for an argument. */
  argued: boolean
  path: string
  pattern: string
  /** The pattern is meant literally. */
  exact: boolean
  note: string
  /** Where a new one goes. */
  first: boolean
}

export function ruleDraft(rule?: Rule): RuleDraft {
  return {
    action: rule?.action ?? 'ask',
    ...{
      server: rule?.server ?? '',
      tool: rule?.tool ?? '',
      asker: rule?.asker ?? '',
      agent: rule?.agent ?? '',
    },
    ...{
      argued: Boolean(rule?.argument),
      path: rule?.argument?.path ?? '',
      pattern: rule?.argument?.pattern ?? '',
      exact: rule?.argument?.exact ?? false,
    },
    ...{ note: rule?.note ?? '', first: true },
  }
}

/** Why the path leads nowhere, or "" (RFC 6901). */
export function pathProblem({ argued, path }: Pick<RuleDraft, 'argued' | 'path'>): string {
  if (!argued || path.trim() === '') return ''
  return /~(?![01])/.test(path) ? 'Write ~ as ~0.' : ''
}

/** What is written. A path may be given without its first slash. */
export function wireRule(draft: RuleDraft, position?: number): RuleConfig {
  const path = draft.path.trim()
  const argument = {
    path: path === '' || path.startsWith('/') ? path : `/${path}`,
    pattern: draft.pattern,
    exact: draft.exact,
  }
  return {
    action: draft.action,
    ...{
      server: draft.server.trim(),
      tool: draft.tool.trim(),
      asker: draft.asker,
      agent: draft.agent.trim(),
    },
    note: draft.note.trim(),
    ...(draft.argued && { argument }),
    ...(position !== undefined && { position }),
  }
}

/** It allows what nobody has thought of. */
export function allowsAnything({ action, server, tool, agent, argument }: RuleConfig): boolean {
  const any = (text = '') => /^\**$/.test(text)
  return action === 'allow' && any(server) && any(tool) && any(agent) && !argument
}

/** The ids with one of them moved; null when it can't go there. */
export function moved(ids: readonly string[], id: string, by: 1 | -1): string[] | null {
  const from = ids.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= ids.length) return null
  const out = ids.filter((other) => other !== id)
  out.splice(to, 0, id)
  return out
}

/** Which of the rules decided; 0 for none of them. */
export function decidedBy({ rule }: Decision, rules: readonly Rule[]): number {
  return rules.findIndex(({ id }) => id === rule?.id) + 1
}
