// A JSON value against a schema, for what is typed as JSON. The server checks again;
// this is so that a mistake shows before anything is sent.
import { Validator } from '@cfworker/json-schema'
import { isExact, isObject, type Json } from './json'

/** What is wrong, in words that name the place; "" when nothing is, or the schema can't tell. */
export function checkJson(schema: Json, value: Json): string {
  try {
    const { valid, errors } = new Validator(plain(schema) as object, '2020-12', false).validate(plain(value))
    if (valid) return ''
    const deepest = errors.reduce((a, b) => (depth(b.instanceLocation) > depth(a.instanceLocation) ? b : a))
    const place = deepest.instanceLocation.slice(2).replaceAll('/', '.')
    return (place ? `${place}: ` : '') + deepest.error
  } catch {
    return '' // A broken schema is not the person's mistake.
  }
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
