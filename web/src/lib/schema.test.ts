import { describe, expect, it } from 'vitest'
import { parseJson, type Json } from './json'
import { isYesNo, readForm, type Field } from './schema'

function field(property: Json, required = false): Field {
  const form = readForm({ type: 'object', properties: { f: property }, required: required ? ['f'] : [] })
  return form.fields[0] as Field
}

describe('readForm', () => {
  it.each<[string, Json]>([
    ['no properties', { type: 'object' }],
    ['empty properties', { type: 'object', properties: {}, additionalProperties: false, $schema: 'x' }],
    ['nothing but $schema', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['null', null],
  ])('takes %s for a plain yes or no', (_, schema) => {
    const form = readForm(schema)
    expect(form.fields).toEqual([])
    expect(isYesNo(form)).toBe(true)
  })

  it('finds fields without a type at the root', () => {
    const form = readForm({
      properties: { name: { type: 'string', title: 'Name' } },
      required: ['name'],
      title: 'greetArguments',
    })
    expect(form.fields[0]).toMatchObject({ kind: 'text', name: 'name', label: 'Name', required: true })
  })

  it('says a root union in words and keeps all fields', () => {
    const form = readForm({
      type: 'object',
      properties: { a: {}, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'], properties: { c: { type: 'integer' } } }],
    })
    expect(form.fields.map((f) => f.name).sort()).toEqual(['a', 'b', 'c'])
    expect(form.rules).toEqual(['Fill in a, or b.'])
  })

  it('leaves what is no object, or free-form, to the JSON editor', () => {
    expect(readForm({ type: 'string' }).jsonOnly).toBe(true)
    expect(readForm('nonsense').jsonOnly).toBe(true)
    expect(readForm({ type: 'object', additionalProperties: { type: 'string' } }).open).toBe(true)
    expect(isYesNo(readForm({ type: 'string' }))).toBe(false)
  })

  it('merges allOf at the root', () => {
    const form = readForm({
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'boolean' } }, required: ['b'] },
      ],
    })
    expect(form.fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['a', 'text', true],
      ['b', 'boolean', true],
    ])
  })
})

describe('references', () => {
  it('are put in place, with the words beside them', () => {
    const form = readForm({
      type: 'object',
      $defs: { K: { type: 'string', enum: ['a', 'b'] } },
      properties: { k: { $ref: '#/$defs/K', default: 'a' } },
    })
    expect(form.fields[0]).toMatchObject({ kind: 'choice', default: 'a' })
  })

  it('that go in circles or nowhere end at the JSON editor', () => {
    const circle = { $defs: { N: { $ref: '#/$defs/N' } }, properties: { n: { $ref: '#/$defs/N' } } }
    expect(readForm(circle).fields[0]?.kind).toBe('json')
    expect(field({ $ref: 'https://example.org/schema.json' }).kind).toBe('json')
    expect(field({ $ref: '#/$defs/__proto__' }).kind).toBe('json')
  })

  it('come along into a JSON editor’s own schema', () => {
    const form = readForm({
      $defs: { P: { type: 'object', properties: { x: { type: 'integer' } } } },
      properties: { points: { type: 'array', items: { $ref: '#/$defs/P' } } },
    })
    expect(form.fields[0]).toMatchObject({ kind: 'json', expects: 'a list', schema: { $defs: { P: {} } } })
  })
})

describe('choices', () => {
  it.each<[string, Json]>([
    ['enum', { type: 'string', enum: ['a', 'b'] }],
    ['oneOf const', { type: 'string', oneOf: [{ const: 'a' }, { const: 'b' }] }],
    ['anyOf const', { anyOf: [{ const: 'a' }, { const: 'b' }] }],
  ])('as %s', (_, schema) => {
    expect(field(schema)).toMatchObject({ kind: 'choice', options: [{ value: 'a' }, { value: 'b' }] })
  })

  it('show titles and keep values', () => {
    const want = { kind: 'choice', options: [{ value: 'r', label: 'Red' }] }
    expect(field({ type: 'string', oneOf: [{ const: 'r', title: 'Red' }] })).toMatchObject(want)
    expect(field({ type: 'string', enum: ['r'], enumNames: ['Red'] })).toMatchObject(want)
    expect(field(parseJson('{"enum":[9007199254740993]}'))).toMatchObject({
      options: [{ label: '9007199254740993' }],
    })
  })

  it.each<[string, Json]>([
    ['items.enum', { enum: ['a', 'b'] }],
    ['items.anyOf', { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }],
    ['items.oneOf', { oneOf: [{ const: 'a' }, { const: 'b' }] }],
  ])('of several as %s', (_, items) => {
    expect(field({ type: 'array', items, minItems: 1, maxItems: 2 })).toMatchObject({
      kind: 'multi',
      options: [{ value: 'a' }, { value: 'b' }],
      minItems: 1,
      maxItems: 2,
    })
  })
})

describe('types', () => {
  it.each<[string, Json, Partial<Field>]>([
    ['a type list with null', { type: ['string', 'null'] }, { kind: 'text', nullable: true }],
    [
      'anyOf with null',
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { kind: 'number', nullable: true },
    ],
    ['an enum with null', { enum: ['a', null] }, { kind: 'choice', nullable: true }],
    [
      'a nullable reference to choices',
      { anyOf: [{ enum: ['a'] }, { const: null }] },
      { kind: 'choice', nullable: true },
    ],
    [
      'nullable lists of nullable text',
      { type: ['array', 'null'], items: { type: ['string', 'null'] } },
      { kind: 'json' },
    ],
    ['lists of text', { type: 'array', items: { type: 'string' } }, { kind: 'list' }],
    ['a nested object', { type: 'object', properties: { a: {} } }, { kind: 'json' }],
    ['text or number', { type: ['string', 'number'] }, { kind: 'json' }],
    ['a union of objects', { oneOf: [{ type: 'object' }, { type: 'string' }] }, { kind: 'json' }],
    ['anything', {}, { kind: 'json' }],
    ['true', true, { kind: 'json' }],
    ['a union of one', { anyOf: [{ type: 'boolean' }] }, { kind: 'boolean' }],
    ['text by its keywords', { maxLength: 3 }, { kind: 'text' }],
  ])('%s', (_, schema, want) => {
    expect(field(schema)).toMatchObject(want)
  })

  it('says what a JSON field must be', () => {
    expect(field({ type: ['string', 'number'] })).toMatchObject({ expects: 'text in quotes or a number' })
    expect(field({ type: 'object' })).toMatchObject({ expects: 'an object' })
    expect(field({ properties: { street: {}, town: {} } })).toMatchObject({
      expects: 'an object with street, town',
    })
    expect(field({})).toMatchObject({ expects: 'any JSON' })
  })

  it('keeps bounds as they were sent', () => {
    const schema = parseJson('{"type":"integer","minimum":1,"maximum":9007199254740993}')
    expect(field(schema)).toMatchObject({ integer: true, min: '1', max: '9007199254740993' })
  })
})

describe('secrets', () => {
  it.each([
    ['api_token', {}],
    ['Passphrase', {}],
    ['clientSecret', {}],
    ['x', { format: 'password' }],
    ['x', { writeOnly: true }],
  ])('%s %j', (name, more) => {
    expect(readForm({ properties: { [name]: { type: 'string', ...more } } }).fields[0]).toMatchObject({
      secret: true,
    })
  })

  it('are text only: a count of tokens is a number', () => {
    expect(readForm({ properties: { max_tokens: { type: 'integer' } } }).fields[0]?.kind).toBe('number')
    expect(readForm({ properties: { name: { type: 'string' } } }).fields[0]).toMatchObject({ secret: false })
  })
})

it('comes to an end where a schema refers to itself a billion times', () => {
  const twice = (to: number): Json => ({ allOf: [{ $ref: `#/$defs/${to}` }, { $ref: `#/$defs/${to}` }] })
  const $defs = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [String(i), twice(i + 1)]))
  expect(readForm({ $defs, properties: { a: twice(0), b: { type: 'string' } } }).fields).toHaveLength(2)
})
