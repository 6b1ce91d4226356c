// A server's settings while they are typed, and the way from and to the wire.
import type { Server, ServerConfig } from '../lib/wire'
import { argsText, parseArgs, parseCommandLine } from './command'
import {
  limitGroups,
  limitNames,
  limitProblems,
  limitsOf,
  limitTexts,
  type LimitName,
  type LimitTexts,
} from './limits'
import { nameProblem, suggestName } from './names'
import {
  isOAuthName,
  oauthDraft,
  oauthProblems,
  oauthWithClient,
  wireOAuth,
  type OAuthDraft,
  type OAuthField,
} from './oauth'
import {
  emptyValue,
  isBlank,
  valueDraft,
  valueDrafts,
  valueProblems,
  wireValue,
  wireValues,
  type ValueDraft,
} from './values'

export interface ServerDraft {
  /** As typed; null while the suggested one holds. */
  name: string | null
  friendlyName: string
  description: string
  transport: 'stdio' | 'http'
  command: string
  /** One on each line (argsText). */
  args: string
  cwd: string
  env: ValueDraft[]
  url: string
  bearer: ValueDraft
  headers: ValueDraft[]
  oauth: OAuthDraft
  enabled: boolean
  trusted: boolean
  /** Images of its results may go to language models. */
  shareImages: boolean
  limits: LimitTexts
}

/** A field that can be wrong; `env.3` is the row with that id. */
export type FieldName = keyof ServerDraft | LimitName | OAuthField | `env.${number}` | `headers.${number}`
export type Problems = Partial<Record<FieldName, string>>

export function emptyDraft(): ServerDraft {
  return {
    name: null,
    friendlyName: '',
    description: '',
    transport: 'stdio',
    command: '',
    args: '',
    cwd: '',
    env: [],
    url: '',
    bearer: emptyValue(0),
    headers: [],
    oauth: oauthDraft(),
    enabled: true,
    trusted: false,
    shareImages: true,
    limits: limitTexts({}),
  }
}

export function draftOf(server: Server): ServerDraft {
  return {
    name: server.name,
    friendlyName: server.friendly_name,
    description: server.description,
    transport: server.transport,
    command: server.command,
    args: argsText(server.args),
    cwd: server.cwd,
    env: valueDrafts(server.env),
    url: server.url,
    bearer: valueDraft(0, '', server.bearer_token),
    headers: valueDrafts(server.headers),
    oauth: oauthDraft(server.oauth),
    enabled: server.enabled,
    trusted: server.trusted,
    shareImages: server.share_images,
    limits: limitTexts(server),
  }
}

/** A new server from a configuration that was read from elsewhere, under this name. */
export function draftFrom(config: ServerConfig, name: string): ServerDraft {
  const value = (all: ServerConfig['env']) =>
    Object.entries(all ?? {}).map(([name, value], id) => valueDraft(id, name, value))
  return {
    ...emptyDraft(),
    name,
    friendlyName: config.friendly_name ?? '',
    description: config.description ?? '',
    transport: config.transport === 'http' ? 'http' : 'stdio',
    command: config.command ?? '',
    args: argsText(config.args ?? []),
    cwd: config.cwd ?? '',
    env: value(config.env),
    url: config.url ?? '',
    bearer: valueDraft(0, '', config.bearer_token),
    headers: value(config.headers),
    oauth: oauthDraft(config.oauth),
    enabled: config.enabled ?? true,
    limits: limitTexts(config),
  }
}

/** The name that the server will have: the typed or the suggested one. */
export function nameOf(draft: ServerDraft, taken: readonly string[] = []): string {
  if (draft.name !== null) return draft.name
  return suggestName({ ...draft, args: parseArgs(draft.args) }, taken)
}

/**
 * What is written. `before` is the server as it is read, when it is there already:
 * what the form doesn't show is carried over, what was removed is cleared.
 */
export function configOf(draft: ServerDraft, name: string, before?: Server): ServerConfig {
  const same = before?.transport === draft.transport ? before : undefined
  const reach: ServerConfig =
    draft.transport === 'stdio'
      ? {
          command: draft.command.trim(),
          args: parseArgs(draft.args),
          cwd: draft.cwd.trim(),
          env: wireValues(draft.env, same?.env),
        }
      : {
          url: draft.url.trim(),
          headers: wireValues(draft.headers, same?.headers),
          bearer_token: bearerOf(draft),
          oauth: wireOAuth(draft.oauth),
        }
  return {
    name,
    friendly_name: draft.friendlyName.trim(),
    description: draft.description.trim(),
    transport: draft.transport,
    ...reach,
    enabled: draft.enabled,
    trusted: draft.trusted,
    share_images: draft.shareImages,
    enabled_tools: before?.enabled_tools ?? [],
    disabled_tools: before?.disabled_tools ?? [],
    delivery: before?.delivery ?? '',
    ...limitsOf(draft.limits),
  }
}

function bearerOf({ bearer }: ServerDraft) {
  return bearer.intent === 'set' && bearer.text === '' ? null : wireValue(bearer)
}

/** The configuration with a client that was registered by hand; all else stays. */
export function withClient(server: Server, id: string, secret: string): ServerConfig {
  const config = configOf(draftOf(server), server.name, server)
  return { ...config, oauth: oauthWithClient(server.oauth, id, secret) }
}

/** The configuration with one tool switched on or off; all else stays. */
export function withTool(server: Server, tool: string, on: boolean): ServerConfig {
  const others = server.disabled_tools.filter((name) => name !== tool)
  // An empty list of enabled tools means all of them: a tool is never taken out of it.
  const listed = server.enabled_tools.length > 0 && !server.enabled_tools.includes(tool)
  return {
    ...configOf(draftOf(server), server.name, server),
    disabled_tools: on ? others : [...others, tool],
    enabled_tools: on && listed ? [...server.enabled_tools, tool] : server.enabled_tools,
  }
}

/** Whether the person lets the tool be used. */
export function isToolOn(server: Server, tool: string): boolean {
  if (server.disabled_tools.includes(tool)) return false
  return server.enabled_tools.length === 0 || server.enabled_tools.includes(tool)
}

/** Everything that is wrong with the draft, in words. `taken`: other servers' names. */
export function problemsOf(draft: ServerDraft, taken: readonly string[] = []): Problems {
  const problems: Problems = {}
  const note = (field: FieldName, problem: string) => {
    if (problem) problems[field] = problem
  }
  note('name', nameProblem(nameOf(draft, taken), taken))
  if (draft.transport === 'stdio') {
    note('command', draft.command.trim() === '' ? 'Name the program to start.' : '')
    for (const [id, problem] of valueProblems(draft.env, 'env')) note(`env.${id}`, problem)
  } else {
    note('url', urlProblem(draft.url.trim()))
    for (const [id, problem] of valueProblems(draft.headers, 'headers')) note(`headers.${id}`, problem)
    Object.assign(problems, oauthProblems(draft.oauth))
  }
  const { time, advanced } = limitGroups(draft.transport)
  return { ...problems, ...limitProblems(draft.limits, [...time, ...advanced]) }
}

function urlProblem(url: string): string {
  if (url === '') return 'Enter the address.'
  // A variable stands for what it will be: the server looks again once it is known.
  const filled = url.replace(/\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/g, 'x')
  if (url.startsWith('${')) return ''
  if (!/^https?:\/\//i.test(filled)) return 'Start the address with https:// or http://.'
  if (!URL.canParse(filled)) return 'This is not an address.'
  const { username, password, hash } = new URL(filled)
  if (username || password) return 'Leave user name and password out: use the token or a header.'
  if (hash || filled.endsWith('#')) return 'Leave out the part after #.'
  return ''
}

/** The field that the server's words are about, by its first word; null when none. */
export function fieldOfMessage(message: string): FieldName | null {
  const fields: Record<string, FieldName> = {
    name: 'name',
    command: 'command',
    args: 'args',
    cwd: 'cwd',
    url: 'url',
    env: 'env',
    headers: 'headers',
    header: 'headers',
    bearer_token: 'bearer',
    reconnect: 'reconnect_max_ms',
    ...Object.fromEntries(limitNames.map((name) => [name, name])),
  }
  const part = /^(?:body\.)?oauth(?:\.|: )(\w+)/.exec(message)?.[1]
  if (part !== undefined) return isOAuthName(part) ? `oauth.${part}` : null
  const word = /^(?:body\.)?(\w+)/.exec(message)?.[1] ?? ''
  return Object.hasOwn(fields, word) ? (fields[word] ?? null) : null
}

/**
 * Takes a whole command line apart into the draft. What was typed for arguments and
 * environment stays. Reports whether it was one.
 */
export function fillCommandLine(draft: ServerDraft, line: string): boolean {
  const parsed = parseCommandLine(line)
  if (!parsed || (parsed.args.length === 0 && Object.keys(parsed.env).length === 0)) return false
  draft.command = parsed.command
  draft.args = [argsText(parsed.args), draft.args].filter((part) => part !== '').join('\n')
  for (const [name, text] of Object.entries(parsed.env)) {
    draft.env = [
      ...draft.env.filter((row) => !isBlank(row)),
      { ...emptyValue(nextId(draft.env), name), text },
    ]
  }
  return true
}

/** An id that no row of the list has. */
export function nextId(rows: readonly ValueDraft[]): number {
  return Math.max(-1, ...rows.map(({ id }) => id)) + 1
}
