// JSON with exact numbers. A number that a double would change (9007199254740993,
// 1284.00, 1e400) is kept as the text that was sent; all others are plain numbers.
import { LosslessNumber, parse as parseLossless, stringify } from 'lossless-json'

/** A number kept as its text: `.value` is what was sent. */
export const Exact = LosslessNumber
export type Exact = LosslessNumber

export type Json = null | boolean | string | number | Exact | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/**
 * Reads JSON; of keys that occur twice the last one counts, as in JSON.parse. JSON that is nested so
 * deep that the stack ends is read by JSON.parse, which needs none: its numbers aren't exact, but one
 * server's schema doesn't keep the lists of all others from being read.
 */
export function parseJson(text: string): Json {
  try {
    return parseLossless(text, null, {
      parseNumber: exactNumber,
      onDuplicateKey: ({ newValue }) => newValue,
    }) as Json
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text) as Json
    throw error
  }
}

/** How many times a text names a key of an object again, with another value; 0 when it is no JSON. */
export function repeatedKeys(text: string): number {
  let count = 0
  try {
    parseLossless(text, null, {
      parseNumber: exactNumber,
      onDuplicateKey: ({ newValue }) => {
        count++
        return newValue
      },
    })
  } catch {
    return 0
  }
  return count
}

/** The number that the text means, as a double where that loses nothing. */
export function exactNumber(text: string): number | Exact {
  const double = Number(text)
  return String(double) === text ? double : new Exact(text)
}

/** Deeper than this nothing is indented: the indents alone would be larger than all else. */
const deepestIndented = 200

/** Writes JSON, exact numbers as they were sent. `space` indents. */
export function printJson(value: unknown, space?: number): string {
  if (space !== undefined && levelsOf(value as Json) > deepestIndented) return printJson(value)
  try {
    return stringify(value, undefined, space) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return printDeep(value as Json)
    throw error
  }
}

/** How many arrays and objects lie inside of each other: 0 for what is neither. */
export function levelsOf(root: Json): number {
  let levels = 0
  let level = [root].filter(isBranch)
  for (; level.length > 0; levels++) level = level.flatMap((branch) => Object.values(branch).filter(isBranch))
  return levels
}

export function isBranch(value: Json): value is Json[] | JsonObject {
  return Array.isArray(value) || isObject(value)
}

/** Writes what is nested so deep that the stack ends, without it. */
function printDeep(root: Json): string {
  const out: string[] = []
  const todo: ({ text: string } | { value: Json })[] = [{ value: root }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    if ('text' in next) {
      out.push(next.text)
      continue
    }
    const { value } = next
    if (!isBranch(value)) {
      out.push(stringify(value) ?? 'null')
      continue
    }
    const list = Array.isArray(value)
    out.push(list ? '[' : '{')
    todo.push({ text: list ? ']' : '}' })
    const members = Object.entries(value)
    for (const [i, [key, child]] of [...members.entries()].reverse()) {
      todo.push({ value: child }, { text: `${i > 0 ? ',' : ''}${list ? '' : `${JSON.stringify(key)}:`}` })
    }
  }
  return out.join('')
}

export function isExact(value: unknown): value is Exact {
  return value instanceof LosslessNumber
}

export function isNumber(value: unknown): value is number | Exact {
  return typeof value === 'number' || isExact(value)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value)
}

/** A number as it is shown: exactly what was sent. */
export function numberText(value: number | Exact): string {
  return isExact(value) ? value.value : String(value)
}

/** Deep equality by meaning: numbers by value, objects without regard to order. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isNumber(a) && isNumber(b)) return sameNumber(numberText(a), numberText(b))
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && sameJson(a[k], b[k]))
    )
  }
  return false
}

function sameNumber(a: string, b: string): boolean {
  return a === b || (Number(a) === Number(b) && Math.abs(Number(a)) <= Number.MAX_SAFE_INTEGER)
}
