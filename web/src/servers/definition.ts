// What changed in a tool's definition, as a person reads it: by part, line by line,
// with the words that differ.
import { diffArrays, diffWordsWithSpace } from 'diff'
import { isObject, printJson, type Json, type JsonObject } from '../lib/json'

export interface Part {
  text: string
  /** It differs from the line that it is the counterpart of. */
  mark: boolean
}

export type DiffLine =
  | { kind: 'same' | 'del' | 'add'; parts: Part[] }
  /** Lines that are the same, and too many to show. */
  | { kind: 'skip'; count: number }

export interface Hunk {
  title: string
  lines: DiffLine[]
}

/** The parts of a definition in the order of their weight, named as the form names them. */
const sections = [
  ['annotations', 'Hints'],
  ['title', 'Title'],
  ['description', 'Description'],
  ['inputSchema', 'Arguments'],
  ['outputSchema', 'Result'],
] as const

/** Lines shown around a change. */
const context = 2
/** A difference that isn't found by then is shown as all old and all new. */
const patience = 300

export function definitionDiff(before: Json, after: Json): Hunk[] {
  const [old, now] = [objectOf(before), objectOf(after)]
  return sections.flatMap(([member, title]) => {
    const [a, b] = [old[member], now[member]]
    const lines = diffLines(linesOf(a === undefined ? a : alignedWith(a, b)), linesOf(b))
    return lines.some(({ kind }) => kind !== 'same') ? [{ title, lines: folded(lines) }] : []
  })
}

/** What changed from one text to another, line by line. */
export function textDiff(before: string, after: string): DiffLine[] {
  return folded(diffLines(before.split('\n'), after.split('\n')))
}

/** "hints, description and arguments": the parts that changed, in words. */
export function changedParts(hunks: readonly Hunk[]): string {
  const names = hunks.map(({ title }) => title.toLowerCase())
  const last = names.pop() ?? ''
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {}
}

/** A text line by line; an object one member a line; anything else as JSON. */
function linesOf(value: Json | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return value.split('\n')
  return printJson(value, 2).split('\n')
}

/** The same value with the members in the order of the other one: order is no change. */
function alignedWith(value: Json, other: Json | undefined): Json {
  if (Array.isArray(value)) {
    return value.map((item, i) => alignedWith(item, Array.isArray(other) ? other[i] : undefined))
  }
  if (!isObject(value) || !isObject(other)) return value
  const keys = [
    ...Object.keys(other).filter((key) => Object.hasOwn(value, key)),
    ...Object.keys(value).filter((key) => !Object.hasOwn(other, key)),
  ]
  return Object.fromEntries(keys.map((key) => [key, alignedWith(value[key] ?? null, other[key])]))
}

function diffLines(before: string[], after: string[]): DiffLine[] {
  const changes = diffArrays(before, after, { timeout: patience }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return changes.flatMap(({ value, removed, added }, i) => {
    if (added && changes[i - 1]?.removed) return [] // told with what it took the place of
    const next = changes[i + 1]
    if (removed && next?.added) return pairs(value, next.value)
    return value.map((text) => whole(removed ? 'del' : added ? 'add' : 'same', text))
  })
}

/** Lines that took the place of others, with the words that differ. */
function pairs(before: string[], after: string[]): DiffLine[] {
  const both = before.slice(0, after.length).map((text, i) => marked(text, after[i] ?? ''))
  return [
    ...both.map(({ del }) => del),
    ...before.slice(both.length).map((text) => whole('del', text)),
    ...both.map(({ add }) => add),
    ...after.slice(both.length).map((text) => whole('add', text)),
  ]
}

function marked(before: string, after: string): { del: DiffLine; add: DiffLine } {
  const words = diffWordsWithSpace(before, after, { timeout: patience })
  if (!words) return { del: whole('del', before), add: whole('add', after) }
  const without = (other: 'added' | 'removed') =>
    words
      .filter((word) => !word[other])
      .map(({ value, added, removed }) => ({ text: value, mark: added || removed }))
  return {
    del: { kind: 'del', parts: without('added') },
    add: { kind: 'add', parts: without('removed') },
  }
}

/** A line that has no counterpart: there is nothing in it to point out. */
function whole(kind: 'same' | 'del' | 'add', text: string): DiffLine {
  return { kind, parts: [{ text, mark: false }] }
}

/** Leaves out the lines that are far from any change. */
function folded(lines: DiffLine[]): DiffLine[] {
  const near = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same')
  const out: DiffLine[] = []
  lines.forEach((line, at) => {
    const last = out.at(-1)
    if (near(at)) out.push(line)
    else if (last?.kind === 'skip') last.count++
    else out.push({ kind: 'skip', count: 1 })
  })
  return out
}
