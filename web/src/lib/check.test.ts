import { describe, expect, it } from 'vitest'
import { checkJson, withoutPatterns } from './check'
import type { Json } from './json'

/** Takes longer than anyone lives to say no to 42 letters and a mark. */
const evil = '^(a+)+$'
const letters = `${'a'.repeat(42)}!`

describe('a stranger’s regular expression is not run', () => {
  const text: Json = { type: 'string', pattern: evil }
  it.each<[string, Json, Json]>([
    ['of a property', { properties: { a: text } }, { a: letters }],
    [
      'of a property named like a keyword',
      { properties: { const: text, pattern: text } },
      { const: letters, pattern: letters },
    ],
    ['of names', { patternProperties: { [evil]: true }, additionalProperties: false }, { [letters]: 1 }],
    ['of any name', { propertyNames: text }, { [letters]: 1 }],
    ['behind a reference', { $defs: { enum: text }, items: { $ref: '#/$defs/enum' } }, [letters]],
    ['behind an unknown keyword', { more: { a: text }, items: { $ref: '#/more/a' } }, [letters]],
    ['in an example', { examples: [text], items: { $ref: '#/examples/0' } }, [letters]],
    ['in what is forbidden', { not: text }, letters],
    ['in what excludes another', { oneOf: [text, { type: 'string' }] }, letters],
    ['in a condition', { if: text, then: false }, letters],
    ['in what may be there at most', { contains: text, minContains: 0, maxContains: 0 }, [letters]],
  ])('%s', (_, schema, value) => {
    expect(checkJson(schema, value)).toBe('')
  })
})

it('checks the rest all the same', () => {
  const schema: Json = { properties: { a: { type: 'string', pattern: evil, maxLength: 3 } }, required: ['b'] }
  expect(checkJson(schema, { a: letters, b: 1 })).toMatch(/^a: /)
  expect(checkJson(schema, { a: 'a' })).toMatch(/"b"/)
})

it('says what is wrong in a person’s words', () => {
  const schema: Json = { type: 'object', required: ['town'], properties: { zip: { type: 'number' } } }
  expect(checkJson(schema, {})).toBe('"town" is missing.')
  expect(checkJson(schema, { town: 'Ulm', zip: 'x' })).toBe(
    'zip: This is of the type string, it must be number.',
  )
  expect(checkJson({ enum: ['a'] }, 'b')).toBe('It does not match any of ["a"].')
})

it('leaves values alone, and schemas without patterns', () => {
  const value: Json = { pattern: 'x' }
  expect(withoutPatterns({ const: value, enum: [value] })).toEqual({ const: value, enum: [value] })
  const schema: Json = { not: { type: 'string' } }
  expect(withoutPatterns(schema)).toBe(schema)
})
