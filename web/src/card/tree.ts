// A JSON value as the rows of a tree that are visible right now. Nothing is built
// for what is closed, so a value of any size opens at once.
import { isBranch, isExact, isObject, numberText, printJson, type Json } from '../lib/json'

/** Which children of a long branch are shown: from, and up to but without to. */
export interface Range {
  from: number
  to: number
}

/** Where a value is inside of the whole (JSON Pointer, RFC 6901). */
export type Pointer = string

/** What is open, and which children of long branches are shown. */
export interface TreeView {
  open: ReadonlySet<Pointer>
  shown: ReadonlyMap<Pointer, Range>
}

interface Place {
  pointer: Pointer
  /** 0 for the root. */
  depth: number
}

/** One line: a value with its key, or what a long branch leaves out before or after the shown part. */
export type TreeRow =
  | (Place & {
      kind: 'branch' | 'leaf'
      key: string | null
      value: Json
      open: boolean
      /** Place among its siblings, from 1, and how many there are. */
      nth: number
      of: number
    })
  | (Place & { kind: 'more'; branch: Pointer; side: Side; hidden: number; of: number })

export type Side = 'before' | 'after'

/** Branches this deep stay closed: the tree says how deep they are, and Raw has them whole. */
export const deepest = 100

/** What opens by itself ends here. */
const deepestAtFirst = 12

/** How many children of a branch are shown at first; each "show more" adds ten times as many. */
export const pageSize = 100

export function childCount(value: Json): number {
  if (Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

export function join(pointer: Pointer, key: string | number): Pointer {
  return `${pointer}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`
}

function split(pointer: Pointer): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))
}

/** The visible rows, from top to bottom. */
export function treeRows(root: Json, view: TreeView): TreeRow[] {
  const rows: TreeRow[] = []
  add(rows, view, { pointer: '', depth: 0, key: null, value: root, nth: 1, of: 1 })
  return rows
}

type Entry = Place & { key: string | null; value: Json; nth: number; of: number }

function add(rows: TreeRow[], view: TreeView, entry: Entry): void {
  const { pointer, depth, value } = entry
  const branch = isBranch(value) && childCount(value) > 0 && depth < deepest
  const open = branch && view.open.has(pointer)
  rows.push({ ...entry, kind: branch ? 'branch' : 'leaf', open })
  if (!open) return
  const keys = Array.isArray(value) ? null : Object.keys(value)
  const of = keys ? keys.length : (value as Json[]).length
  const { from, to } = rangeOf(view, pointer, of)
  const more = (side: Side, hidden: number) => {
    // In the pointer of a value "~" stands before 0 or 1 only: this one is no value's.
    const place = { pointer: `${pointer}/~${side}`, depth: depth + 1 }
    if (hidden > 0) rows.push({ ...place, kind: 'more', branch: pointer, side, hidden, of })
  }
  more('before', from)
  for (let i = from; i < to; i++) {
    const key = keys?.[i] ?? String(i)
    const child = (value as Record<string, Json>)[key] ?? null
    add(rows, view, { pointer: join(pointer, key), depth: depth + 1, key, value: child, nth: i + 1, of })
  }
  more('after', of - to)
}

function rangeOf(view: TreeView, pointer: Pointer, of: number): Range {
  const { from, to } = view.shown.get(pointer) ?? { from: 0, to: pageSize }
  return { from, to: Math.min(of, to) }
}

/** Opens what a person wants to see at first: the root, only children, and then what fits a screen. */
export function openAtFirst(root: Json, budget = 40): Set<Pointer> {
  const open = new Set<Pointer>()
  let left = budget
  const queue: { pointer: Pointer; depth: number; value: Json; always: boolean }[] = [
    { pointer: '', depth: 0, value: root, always: true },
  ]
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { pointer, depth, value, always } = next
    const count = childCount(value)
    if (depth === deepestAtFirst || !isBranch(value) || count === 0 || (!always && count > left)) continue
    open.add(pointer)
    left -= count
    const children = Object.entries(value).slice(0, budget)
    for (const [key, child] of children) {
      queue.push({
        pointer: join(pointer, key),
        depth: depth + 1,
        value: child,
        always: always && count === 1,
      })
    }
  }
  return open
}

export function toggled(view: TreeView, pointer: Pointer): TreeView {
  const open = new Set(view.open)
  if (!open.delete(pointer)) open.add(pointer)
  return { ...view, open }
}

/** Shows ten pages more of a long branch. */
export function withMore(view: TreeView, branch: Pointer, side: Side): TreeView {
  const { from, to } = view.shown.get(branch) ?? { from: 0, to: pageSize }
  const step = 10 * pageSize
  const range = side === 'after' ? { from, to: to + step } : { from: Math.max(0, from - step), to }
  return { ...view, shown: new Map(view.shown).set(branch, range) }
}

/** Opens everything above a value; of long branches only what is around it, so that the page stays quick. */
export function revealed(root: Json, view: TreeView, pointer: Pointer): TreeView {
  const open = new Set(view.open)
  const shown = new Map(view.shown)
  let at: Pointer = ''
  let value = root
  for (const key of split(pointer)) {
    if (!isBranch(value)) break
    open.add(at)
    const index = Array.isArray(value) ? Number(key) : Object.keys(value).indexOf(key)
    const current = rangeOf({ open, shown }, at, Infinity)
    if (index < current.from || index >= current.to) {
      const from = Math.max(0, index - pageSize / 2)
      shown.set(at, { from, to: from + pageSize })
    }
    value = (value as Record<string, Json>)[key] ?? null
    at = join(at, key)
  }
  return { open, shown }
}

export interface Found {
  pointers: Pointer[]
  /** There are more than were looked for. */
  more: boolean
}

/** Keys and values that hold the text, in order, without regard to case. */
export function searchTree(root: Json, text: string, limit = 500): Found {
  const needle = text.toLowerCase()
  const pointers: Pointer[] = []
  let deeper = false
  const visit = (pointer: Pointer, key: string | null, value: Json, depth: number): boolean => {
    const own = isBranch(value) ? '' : plainText(value)
    if (key?.toLowerCase().includes(needle) || own.toLowerCase().includes(needle)) {
      if (pointers.length === limit) return false
      pointers.push(pointer)
    }
    if (!isBranch(value)) return true
    if (depth === deepest) {
      deeper ||= childCount(value) > 0
      return true
    }
    for (const name of Object.keys(value)) {
      const child = (value as Record<string, Json>)[name] ?? null
      if (!visit(join(pointer, name), Array.isArray(value) ? null : name, child, depth + 1)) return false
    }
    return true
  }
  const whole = needle === '' || visit('', null, root, 0)
  return { pointers, more: !whole || deeper }
}

/** What an arrow key does in a tree (WAI-ARIA Authoring Practices, "Tree View"). */
export function treeStep(
  rows: TreeRow[],
  at: number,
  key: string,
): { to: number } | { toggle: Pointer } | null {
  const row = rows[at]
  if (!row) return null
  const last = rows.length - 1
  const branch = row.kind === 'branch'
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(last, at + 1) }
    case 'ArrowUp':
      return { to: Math.max(0, at - 1) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: last }
    case 'ArrowRight':
      if (!branch) return null
      return row.open ? { to: Math.min(last, at + 1) } : { toggle: row.pointer }
    case 'ArrowLeft':
      if (branch && row.open) return { toggle: row.pointer }
      return {
        to: Math.max(
          0,
          rows.findLastIndex((other, i) => i < at && other.depth < row.depth),
        ),
      }
    default:
      return null
  }
}

/** A value without quotes, as it is searched and copied. */
export function plainText(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || isExact(value)) return numberText(value)
  return isBranch(value) ? printJson(value) : String(value)
}

/** "214 items", "1 key"; "" for what has no children. */
export function countWords(value: Json): string {
  if (!isBranch(value)) return ''
  const count = childCount(value)
  return `${groups(count)} ${Array.isArray(value) ? 'item' : 'key'}${count === 1 ? '' : 's'}`
}

/** A closed branch on one line: `{ id: 7, name: "Ada", … }`, `3 items`. */
export function preview(value: Json, limit = 72): string {
  if (!isObject(value)) return countWords(value)
  const parts: string[] = []
  let length = 0
  const keys = Object.keys(value)
  for (const key of keys.slice(0, 4)) {
    const child = value[key] ?? null
    const text = `${key}: ${isBranch(child) ? (Array.isArray(child) ? '[…]' : '{…}') : short(child, 28)}`
    if (parts.length > 0 && length + text.length > limit) break
    parts.push(text)
    length += text.length
  }
  if (keys.length === 0) return '{ }'
  return `{ ${parts.join(', ')}${parts.length < keys.length ? ', …' : ''} }`
}

function short(value: Json, limit: number): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, limit)) : plainText(value)
  return typeof value === 'string' && value.length > limit ? `${text.slice(0, -1)}…"` : text
}

/** 10000 as "10,000". */
export function groups(count: number): string {
  return count.toLocaleString('en-US')
}
