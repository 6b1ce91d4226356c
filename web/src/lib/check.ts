// A JSON value against a schema, for what is typed as JSON. The server checks again;
// this is so that a mistake shows before anything is sent. A stranger's regular
// expression is never run here: one can be written that takes a browser for ever.
// Kontor checks an answer's patterns in linear time, a tool's server its own.
import { Validator } from '@cfworker/json-schema'
import { isExact, isObject, type Json } from './json'

/** What is wrong, in words that name the place; "" when nothing is, or the schema can't tell. */
export function checkJson(schema: Json, value: Json): string {
  try {
    const { valid, errors } = new Validator(
      plain(withoutPatterns(schema)) as object,
      '2020-12',
      false,
    ).validate(plain(value))
    if (valid) return ''
    const deepest = errors.reduce((a, b) => (depth(b.instanceLocation) > depth(a.instanceLocation) ? b : a))
    const place = deepest.instanceLocation.slice(2).replaceAll('/', '.')
    return (place ? `${place}: ` : '') + inWords(deepest.error)
  } catch {
    return '' // A broken schema is not the person's mistake.
  }
}

/** The validator's commonest complaints as a person would say them. */
function inWords(error: string): string {
  return error
    .replace(/^Instance does not have required property (".*")\.$/, '$1 is missing.')
    .replace(
      /^Instance type "(\w+)" is invalid\. Expected "(.+)"\.$/,
      'This is of the type $1, it must be $2.',
    )
    .replace(/^Instance /, 'It ')
}

/** What holds values, not schemas. */
const valueKeys = new Set(['const', 'enum'])
/** What holds schemas by names, which may be any keyword's. */
const mapKeys = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
/**
 * Patterns, and what turns against the person once a part of it asks for less: what is
 * forbidden, alternatives that exclude each other, and what no pattern let in.
 */
const dropped = new Set([
  ...['pattern', 'patternProperties', 'not', 'oneOf', 'if', 'then', 'else', 'maxContains'],
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
])

/** The schema without regular expressions; it asks for nothing that the whole one doesn't. */
export function withoutPatterns(schema: Json): Json {
  return holdsPattern(schema) ? without(schema) : schema
}

function without(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((part) => without(part))
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([key]) => !dropped.has(key))
  return Object.fromEntries(
    kept.map(([key, part]) => {
      if (valueKeys.has(key)) return [key, part]
      if (!mapKeys.has(key) || !isObject(part)) return [key, without(part)]
      return [key, Object.fromEntries(Object.entries(part).map(([name, each]) => [name, without(each)]))]
    }),
  )
}

/** Whether it may hold one; a property of that name counts, too. */
function holdsPattern(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(holdsPattern)
  return (
    isObject(schema) &&
    ('pattern' in schema || 'patternProperties' in schema || Object.values(schema).some(holdsPattern))
  )
}

function depth(location: string): number {
  return location.split('/').length
}

/** With doubles for exact numbers: the validator knows no others. */
function plain(value: Json): unknown {
  if (isExact(value)) return Number(value.value)
  if (Array.isArray(value)) return value.map(plain)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, plain(v)]))
  return value
}
