// From what a person typed to the JSON that is sent, with a message where it
// doesn't fit. Optional fields left empty are left out, never sent as null or "".
// Patterns are left to the server (check.ts says why).
import { checkJson } from './check'
import { isDate, toLocal, toZoned } from './dates'
import {
  exactNumber,
  isNumber,
  isObject,
  numberText,
  parseJson,
  printJson,
  sameJson,
  type Json,
} from './json'
import type { Field, ListField, MultiField, NumberField, TextField } from './schema'

/**
 * What a control holds: text of text, number and JSON fields; a boolean; the index
 * of a choice, or indexes of several; rows of a list. undefined: not touched.
 */
export type Input = string | boolean | number | number[] | string[] | undefined

/** The value to send, or why there is none. Neither: the field is left out. */
export interface Reading {
  value?: Json
  error?: string
}

export function readInput(field: Field, input: Input): Reading {
  const reading = read(field, input)
  if (reading.error !== undefined || reading.value !== undefined || !field.required) return reading
  if (field.nullable) return { value: null }
  return { error: field.kind === 'choice' || field.kind === 'multi' ? 'Choose one' : 'Fill this in' }
}

function read(field: Field, input: Input): Reading {
  switch (field.kind) {
    case 'text':
      return readText(field, asText(input))
    case 'number':
      return readNumber(field, asText(input).trim())
    case 'boolean':
      if (typeof input === 'boolean') return { value: input }
      return field.required && !field.nullable ? { value: false } : {}
    case 'choice':
      return typeof input === 'number' ? valueOf(field.options[input]) : {}
    case 'multi':
      return readMulti(field, Array.isArray(input) ? input.filter((i) => typeof i === 'number') : undefined)
    case 'list':
      return readList(field, Array.isArray(input) ? input.map(String) : undefined)
    case 'json':
      return readJson(asText(input), field.schema)
  }
}

/** The input that shows a value: a default, or what an earlier run sent. */
export function showValue(field: Field, value: Json | undefined): Input {
  if (value === undefined || value === null) return undefined
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string') return undefined
      return field.format === 'date-time' ? toLocal(value) : value
    case 'number':
      return isNumber(value) ? numberText(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'choice': {
      const at = field.options.findIndex((option) => sameJson(option.value, value))
      return at < 0 ? undefined : at
    }
    case 'multi':
      if (!Array.isArray(value)) return undefined
      return field.options.flatMap((option, i) => (value.some((v) => sameJson(v, option.value)) ? [i] : []))
    case 'list':
      return Array.isArray(value) ? value.map((v) => (isNumber(v) ? numberText(v) : String(v))) : undefined
    case 'json':
      return printJson(value, 2)
  }
}

/** A stranger may want any number of items: more rows are added by hand. */
const mostRows = 10

/** The input that a field starts with. */
export function firstInput(field: Field): Input {
  const shown = showValue(field, field.default)
  if (shown !== undefined) return shown
  if (field.kind === 'list' && field.required && field.minItems)
    return Array.from({ length: Math.min(field.minItems, mostRows) }, () => '')
  // A choice of one is no choice.
  return field.kind === 'choice' && field.required && field.options.length === 1 ? 0 : undefined
}

function readText(field: TextField, text: string): Reading {
  if (text === '') return cleared(field) ? { value: '' } : {}
  const length = [...text].length
  if (field.minLength !== undefined && length < field.minLength) {
    return { error: `Needs at least ${field.minLength} characters; this has ${length}` }
  }
  if (field.maxLength !== undefined && length > field.maxLength) {
    return { error: `Takes at most ${field.maxLength} characters; this has ${length}` }
  }
  return readFormat(field, text)
}

/** A default that the person emptied: left out, it would come back by itself. */
function cleared(field: TextField): boolean {
  return (
    typeof field.default === 'string' &&
    field.default !== '' &&
    !field.minLength &&
    !field.format &&
    !field.required
  )
}

function readFormat(field: TextField, text: string): Reading {
  switch (field.format) {
    case 'email':
      if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)) {
        return { error: 'Enter a full email address, such as mira@example.org' }
      }
      break
    case 'uri':
      if (!URL.canParse(text)) return { error: 'Enter a full address, such as https://example.org' }
      break
    case 'date':
      if (!isDate(text)) return { error: 'Enter a date as year-month-day, such as 2026-12-08' }
      break
    case 'date-time': {
      const value = toZoned(text)
      return value ? { value } : { error: 'Enter a date and a time' }
    }
  }
  return { value: text }
}

function readNumber(field: NumberField, text: string): Reading {
  if (text === '') return {}
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return { error: field.integer ? 'Enter a whole number, such as 42' : 'Enter a number, such as 4.2' }
  }
  if (field.integer && !/^-?\d+(\.0+)?$/.test(text)) return { error: 'Enter a whole number, such as 42' }
  const { min, max, above, below, multipleOf } = field
  if (min !== undefined && compare(text, min) < 0) return { error: `Must be ${min} or more` }
  if (max !== undefined && compare(text, max) > 0) return { error: `Must be ${max} or less` }
  if (above !== undefined && compare(text, above) <= 0) return { error: `Must be more than ${above}` }
  if (below !== undefined && compare(text, below) >= 0) return { error: `Must be less than ${below}` }
  if (multipleOf !== undefined && !isMultiple(text, multipleOf))
    return { error: `Must be in steps of ${multipleOf}` }
  return { value: exactNumber(text) }
}

function readMulti(field: MultiField, chosen: number[] | undefined): Reading {
  if (chosen === undefined || chosen.length === 0) {
    // None is an answer where there was something to take away, or none is allowed.
    const none = field.required ? !field.minItems : chosen !== undefined && Array.isArray(field.default)
    if (none) return { value: [] }
    return field.required ? { error: atLeast(field.minItems ?? 1) } : {}
  }
  const error = countError(chosen.length, field)
  return error ? { error } : { value: field.options.filter((_, i) => chosen.includes(i)).map((o) => o.value) }
}

function readList(field: ListField, rows: string[] | undefined): Reading {
  if (rows === undefined || rows.length === 0) {
    return field.required && !field.minItems ? { value: [] } : {}
  }
  const values: Json[] = []
  for (const [i, row] of rows.entries()) {
    const { value, error } = readInput(field.item, row)
    if (error !== undefined) return { error: `Item ${i + 1}: ${error}` }
    if (value !== undefined) values.push(value)
  }
  const error = countError(values.length, field)
  return error ? { error } : { value: values }
}

function countError(count: number, field: MultiField | ListField): string {
  if (field.minItems !== undefined && count < field.minItems) return atLeast(field.minItems)
  if (field.maxItems !== undefined && count > field.maxItems)
    return `Takes at most ${field.maxItems}; these are ${count}`
  return ''
}

function atLeast(count: number): string {
  return `Needs at least ${count}`
}

/** JSON as it was typed, checked against a schema. */
export function readJson(text: string, schema: Json): Reading {
  if (text.trim() === '') return {}
  let value: Json
  try {
    value = parseJson(text)
  } catch (error) {
    return { error: `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}` }
  }
  const error = isObject(schema) ? checkJson(schema, value) : ''
  return error ? { error } : { value }
}

function valueOf(option: { value: Json } | undefined): Reading {
  return option ? { value: option.value } : {}
}

function asText(input: Input): string {
  return typeof input === 'string' ? input : ''
}

/** Exact for whole numbers of any size. */
function compare(a: string, b: string): number {
  const whole = /^-?\d+$/
  if (whole.test(a) && whole.test(b)) return Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b))
  return Number(a) - Number(b)
}

function isMultiple(text: string, step: string): boolean {
  if (/^-?\d+$/.test(text) && /^[1-9]\d*$/.test(step)) return BigInt(text) % BigInt(step) === 0n
  const times = Number(text) / Number(step)
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) < 1e-9
}
