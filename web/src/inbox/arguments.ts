// The arguments of a call as they are read before they are approved: whole, and each
// as what it is. Nothing in them can hide: see lib/invisible.ts.
import { secret } from '../card/telling'
import { hides, visible } from '../lib/invisible'
import { isNumber, isObject, numberText, printJson, type Json, type JsonObject } from '../lib/json'
import { joinWords } from '../servers/command'
import { textDiff, type Hunk } from '../servers/definition'

export interface Named {
  name: string
  text: string
  /** Named like a secret: covered until asked for. */
  secret: boolean
}

export type ArgumentView =
  | (Named & { kind: 'short' | 'long' | 'command' })
  | { kind: 'diff'; name: string; hunks: Hunk[] }
  /** Variables or headers, one in a line. */
  | { kind: 'values'; name: string; values: Named[] }

export interface ArgumentsRead {
  views: ArgumentView[]
  /** Characters that can't be seen were written out. */
  hidden: boolean
}

export function readArguments(args: Json): ArgumentsRead {
  const views = isObject(args) ? viewsOf(args) : [long('', printJson(args, 2))]
  return { views, hidden: hides(printJson(args)) || controls.test(printJson(args)) }
}

/** Control characters as JSON writes them, but for those of lines and tabs. */
const controls = /\\(?:[bf]|u00[01])/

/** Arguments that are the text before and the text after, in the words of well-known editing tools. */
const edits = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldText', 'newText'],
] as const

const commandNames = /^(command|cmd|command_line|shell|shell_command|script|bash)$/i
const valueNames = /^(env|environment|headers)$/i

function viewsOf(args: JsonObject): ArgumentView[] {
  const rest = { ...args }
  const out: ArgumentView[] = []
  if (typeof args['command'] === 'string' && isTexts(args['args'])) {
    out.push(command('command and args', joinWords([args['command'], ...args['args']])))
    delete rest['command']
    delete rest['args']
  }
  for (const [name, value] of Object.entries(rest)) {
    const edit = edits.find((pair) => pair.includes(name as never))
    const [before, after] = [args[edit?.[0] ?? ''], args[edit?.[1] ?? '']]
    if (edit && typeof before === 'string' && typeof after === 'string') {
      if (name === edit[0]) out.push(changeOf(edit.join(' and '), before, after))
    } else out.push(viewOf(name, value))
  }
  return out
}

function viewOf(name: string, value: Json): ArgumentView {
  if (commandNames.test(name) && typeof value === 'string') return command(name, value)
  if (commandNames.test(name) && isTexts(value)) return command(name, joinWords(value))
  if (valueNames.test(name) && isObject(value) && Object.values(value).every(isText)) {
    const values = Object.entries(value).map(([key, text]) => named(key, String(text)))
    if (values.length > 0) return { kind: 'values', name: visible(name), values }
  }
  if (typeof value !== 'string') {
    if (isNumber(value)) return short(name, numberText(value))
    const line = printJson(value)
    return line.length <= 60 ? short(name, line) : long(name, printJson(value, 2))
  }
  if (isPatch(value)) return { kind: 'diff', name: visible(name), hunks: patchHunks(visible(value)) }
  return value.length > 80 || value.includes('\n')
    ? long(name, value)
    : { ...named(name, value), kind: 'short' }
}

function named(name: string, text: string): Named {
  const open = text === '' || text.length > 200 || text.includes('${')
  return { name: visible(name), text: visible(text), secret: secret.test(name) && !open }
}

const short = (name: string, text: string): ArgumentView => ({
  ...named(name, text),
  secret: false,
  kind: 'short',
})
const long = (name: string, text: string): ArgumentView => ({ ...named(name, text), kind: 'long' })
const command = (name: string, text: string): ArgumentView => ({
  ...named(name, text),
  secret: false,
  kind: 'command',
})

const changeOf = (name: string, before: string, after: string): ArgumentView => ({
  kind: 'diff',
  name,
  hunks: [{ title: 'Replaces this text', lines: textDiff(visible(before), visible(after)) }],
})

/** A patch in the unified form of diff(1). */
function isPatch(text: string): boolean {
  return /^(diff --git .|--- .*\n\+\+\+ |@@ -\d)/m.test(text) && /^@@ -\d/m.test(text)
}

function patchHunks(text: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const line of text.split('\n')) {
    const inside = hunks.at(-1)
    if (line.startsWith('@@') || !inside) hunks.push({ title: line, lines: [] })
    else {
      const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same'
      const body = kind === 'same' ? line.replace(/^ /, '') : line.slice(1)
      inside.lines.push({ kind, parts: [{ text: body, mark: false }] })
    }
  }
  return hunks
}

const isText = (value: Json) => typeof value === 'string'
const isTexts = (value: Json | undefined): value is string[] => Array.isArray(value) && value.every(isText)

/** A value with all texts in it made visible. */
export function visibleJson(value: Json): Json {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(visibleJson)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [visible(key), visibleJson(part)]))
}
