// Settings that may be secrets: environment values, headers, the bearer token. A
// stored secret can't be read; it is kept, replaced or cleared.
import type { Server, ServerConfig } from '../lib/wire'

export type WireValue = NonNullable<Server['env'][string]> | null
export type WireValues = NonNullable<ServerConfig['env']>

export interface ValueDraft {
  /** Tells rows apart while their names are typed. */
  id: number
  name: string
  text: string
  /** The person says that it is no secret. */
  plain: boolean
  /** There is a secret of this name that can't be read. */
  stored: boolean
  /** What becomes of it: kept as stored, set to the text, or cleared. */
  intent: 'keep' | 'set' | 'clear'
}

export function emptyValue(id: number, name = ''): ValueDraft {
  return { id, name, text: '', plain: false, stored: false, intent: 'set' }
}

/** A value as it is read. */
export function valueDraft(id: number, name: string, value: WireValue | undefined): ValueDraft {
  const draft = emptyValue(id, name)
  if (value === undefined || value === null) return draft
  if (typeof value === 'string') return { ...draft, text: value }
  if (value.value !== undefined) return { ...draft, text: value.value, plain: value.plain ?? false }
  return { ...draft, stored: true, intent: 'keep' }
}

export function valueDrafts(values: Server['env']): ValueDraft[] {
  return Object.entries(values)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value], id) => valueDraft(id, name, value))
}

/** What is written for one value. */
export function wireValue(draft: ValueDraft): WireValue {
  if (draft.intent === 'clear') return null
  if (draft.intent === 'keep') return { set: true }
  return draft.plain ? { value: draft.text, plain: true } : draft.text
}

/**
 * What is written for a list of them. Names that were there and aren't any more are
 * cleared: left out, their secrets would stay.
 */
export function wireValues(drafts: readonly ValueDraft[], before: Server['env'] = {}): WireValues {
  const values: WireValues = {}
  for (const name of Object.keys(before)) values[name] = null
  for (const draft of drafts) if (draft.name !== '') values[draft.name] = wireValue(draft)
  return values
}

/** The person gave it a token of their own: Kontor gets none then. */
export function sendsToken(server: Pick<Server, 'bearer_token' | 'headers'>): boolean {
  const given = Boolean(server.bearer_token)
  return given || Object.keys(server.headers).some((name) => name.toLowerCase() === 'authorization')
}

/** A row that says nothing yet. */
export function isBlank(draft: ValueDraft): boolean {
  return draft.name === '' && draft.text === '' && !draft.stored
}

// Only a reference: it names a secret and is none (model.Value.Secret).
const onlyReference = /^(?:(?:bearer|basic) )?\$\{[A-Za-z_]\w*\}$/i

/** Whether the text is hidden while it is typed. */
export function isMasked({ plain, text }: ValueDraft): boolean {
  return !plain && !onlyReference.test(text)
}

/** The names that `${NAME}` and `${NAME:-default}` refer to. */
export function references(text: string): string[] {
  return [...text.matchAll(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/g)].map(([, name = '']) => name)
}

/** The names that a server’s configuration refers to, as far as it can be read. */
export function referencesOf(server: Server): Set<string> {
  const values = [...Object.values(server.env), ...Object.values(server.headers), server.bearer_token]
  const texts = [server.command, ...server.args, server.cwd, server.url]
  for (const value of values) {
    if (typeof value === 'string') texts.push(value)
    else if (value?.value) texts.push(value.value)
  }
  return new Set(texts.flatMap(references))
}

/** Words on references that nothing stored answers to; "" when all is well. */
export function referenceHint(text: string, known: readonly string[]): string {
  const names = references(text)
  const own = names.find((name) => name.toUpperCase().startsWith('KONTOR_'))
  if (own) return `\${${own}} is Kontor’s own and is never given to a server.`
  const missing = names.find((name) => !known.includes(name))
  if (!missing) return ''
  return `No secret named ${missing} is stored: Kontor takes it from its own environment, if it is there.`
}

type Kind = 'env' | 'headers'

/** What is wrong with the names of a list, by row. */
export function valueProblems(drafts: readonly ValueDraft[], kind: Kind): Map<number, string> {
  const problems = new Map<number, string>()
  const seen = new Set<string>()
  for (const draft of drafts) {
    if (isBlank(draft)) continue
    const name = kind === 'headers' ? draft.name.toLowerCase() : draft.name
    const problem = seen.has(name) ? `${draft.name} is there twice.` : namePart(draft.name, kind)
    if (problem) problems.set(draft.id, problem)
    seen.add(name)
  }
  return problems
}

function namePart(name: string, kind: Kind): string {
  if (name === '') return 'Give it a name.'
  // A header's name is a token (RFC 9110, section 5.6.2).
  if (kind === 'headers' && !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return 'A header’s name has no blanks and no colon.'
  if (kind === 'env' && /[=\0]/.test(name)) return 'A name can’t hold =.'
  return ''
}
