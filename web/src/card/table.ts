// A list of objects as a table: its columns, its cells, and the file for a spreadsheet.
import { isBranch, isNumber, isObject, type Json, type JsonObject } from '../lib/json'
import { join, plainText, type Pointer } from './tree'

export interface Column {
  name: string
  /** Every value is a number: figures align at the end. */
  numeric: boolean
}

export interface Table {
  /** Where in the value the list is; "" when the value is the list. */
  pointer: Pointer
  columns: Column[]
  rows: JsonObject[]
}

/** The table that a value holds: itself, or the one list of objects among its members. */
export function tableOf(value: Json): Table | null {
  const own = fromList(value, '')
  if (own || !isObject(value)) return own
  const inside = Object.entries(value)
    .map(([key, member]) => fromList(member, join('', key)))
    .filter((table) => table !== null)
  return inside.length === 1 ? (inside[0] ?? null) : null
}

function fromList(value: Json, pointer: Pointer): Table | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return null
  const numeric = new Map<string, boolean>()
  for (const row of value) {
    for (const [name, cell] of Object.entries(row)) {
      const fits = isNumber(cell) || (cell === null && numeric.get(name) !== false)
      numeric.set(name, fits && numeric.get(name) !== false)
    }
  }
  if (numeric.size === 0) return null
  const columns = [...numeric].map(([name, allNumbers]) => ({
    name,
    numeric: allNumbers && value.some((row) => isNumber(row[name])),
  }))
  return { pointer, columns, rows: value }
}

/** What a cell says; "" where the row has no such member. */
export function cellText(cell: Json | undefined): string {
  return cell === undefined ? '' : plainText(cell)
}

/** A cell that is drawn quietly: nothing there, or null. */
export function isFaint(cell: Json | undefined): boolean {
  return cell === undefined || cell === null || isBranch(cell)
}

/** RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function toCsv({ columns, rows }: Table): string {
  const lines = [columns.map(({ name }) => quoted(name, true))]
  for (const row of rows) {
    lines.push(columns.map(({ name }) => quoted(cellText(row[name]), typeof row[name] === 'string')))
  }
  return lines.map((line) => line.join(',') + '\r\n').join('')
}

function quoted(text: string, stranger: boolean): string {
  const safe = stranger && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}
