import { describe, expect, it } from 'vitest'
import { Exact, parseJson, type Json } from './json'
import { limitsOf, sentences } from './limits'
import { readForm, type Field } from './schema'
import { firstInput, readInput, showValue, type Input } from './validate'

function field(schema: Json, required = false): Field {
  return readForm({ properties: { f: schema }, required: required ? ['f'] : [] }).fields[0] as Field
}
const text = (more: Record<string, Json> = {}): Json => ({ type: 'string', ...more })
const read = (schema: Json, input: Input, required = false) => readInput(field(schema, required), input)

describe('empty fields', () => {
  it.each<[string, Json, Input]>([
    ['text', text(), ''],
    ['number', { type: 'number' }, '  '],
    ['boolean', { type: 'boolean' }, undefined],
    ['choice', { enum: ['a'] }, undefined],
    ['several', { type: 'array', items: { enum: ['a'] } }, undefined],
    ['list', { type: 'array', items: text() }, []],
    ['JSON', { type: 'object' }, ' '],
    ['nullable', { anyOf: [{ type: 'array' }, { type: 'null' }], default: null }, undefined],
  ])('optional %s is left out', (_, schema, input) => {
    expect(read(schema, input)).toEqual({})
  })

  it.each<[string, Json]>([
    ['text', text()],
    ['number', { type: 'integer' }],
    ['choice', { enum: ['a', 'b'] }],
    ['JSON', { type: 'object' }],
    ['several with a minimum', { type: 'array', items: { enum: ['a'] }, minItems: 1 }],
  ])('required %s is asked for', (_, schema) => {
    expect(read(schema, undefined, true).error).toBeTruthy()
  })

  it('required and nullable is null', () => {
    expect(read({ type: ['string', 'null'] }, '', true)).toEqual({ value: null })
  })

  it('required boolean and list have an empty value of their own', () => {
    expect(read({ type: 'boolean' }, undefined, true)).toEqual({ value: false })
    expect(read({ type: 'array', items: { enum: ['a'] } }, [], true)).toEqual({ value: [] })
  })

  it('a default that was taken away stays away', () => {
    expect(read(text({ default: 'x' }), '')).toEqual({ value: '' })
    expect(read({ type: 'array', items: { enum: ['a'] }, default: ['a'] }, [])).toEqual({ value: [] })
    expect(read(text({ default: 'x', minLength: 1 }), '')).toEqual({})
  })
})

describe('text', () => {
  it.each<[Record<string, Json>, string, boolean]>([
    [{ minLength: 3 }, 'ab', false],
    [{ minLength: 3 }, 'ab🔑', true],
    [{ maxLength: 3 }, '🔑🔑🔑', true],
    [{ maxLength: 3 }, 'abcd', false],
    [{ pattern: '^[a-z]+$' }, 'abc', true],
    [{ pattern: '^[a-z]+$' }, 'ABC', true],
    [{ format: 'email' }, 'mira@example', false],
    [{ format: 'email' }, 'mira@example.org', true],
    [{ format: 'uri' }, 'example.org', false],
    [{ format: 'uri' }, 'urn:x:y', true],
    [{ format: 'date' }, '2026-02-30', false],
    [{ format: 'date' }, '2026-99-99', false],
    [{ format: 'date' }, '2026-02-28', true],
    [{ format: 'date-time' }, 'soon', false],
    [{ format: 'hostname' }, 'whatever', true],
  ])('%j with %s', (schema, input, ok) => {
    const { value, error } = read(text(schema), input)
    expect(error === undefined).toBe(ok)
    if (ok) expect(value).toBe(input)
  })

  it('gives a time the zone of the browser, and keeps one that it has', () => {
    const { value } = read(text({ format: 'date-time' }), '2026-12-08T13:00')
    expect(value).toMatch(/^2026-12-08T13:00:00[+-]\d{2}:\d{2}$/)
    expect(new Date(value as string).getTime()).toBe(new Date(2026, 11, 8, 13, 0).getTime())
    expect(read(text({ format: 'date-time' }), '2026-12-08T13:00:00Z')).toEqual({
      value: '2026-12-08T13:00:00Z',
    })
    const f = field(text({ format: 'date-time' }))
    expect(showValue(f, value)).toBe('2026-12-08T13:00')
  })
})

describe('numbers', () => {
  it('of any size stay exact', () => {
    expect(read({ type: 'integer' }, ' 9007199254740993 ')).toEqual({ value: new Exact('9007199254740993') })
    expect(read({ type: 'number' }, '1284.00')).toEqual({ value: new Exact('1284.00') })
    expect(read({ type: 'number' }, '2.5')).toEqual({ value: 2.5 })
  })

  it('are compared exactly with their bounds', () => {
    const schema = parseJson('{"type":"integer","minimum":-5,"maximum":9007199254740992}')
    expect(read(schema, '9007199254740993').error).toBe('Must be 9007199254740992 or less')
    expect(read(schema, '-6').error).toBe('Must be -5 or more')
    expect(read(schema, '-5').error).toBeUndefined()
  })

  it.each(['1,5', '0x10', '1e', '.5', '--1', 'NaN', 'Infinity', '007'])('%s is none', (input) => {
    expect(read({ type: 'number' }, input).error).toBeTruthy()
  })

  it.each(['1.5', '1e3'])('%s is no whole number as it is typed', (input) => {
    expect(read({ type: 'integer' }, input).error).toMatch(/whole/)
  })

  it('keep to steps and to bounds that are left out', () => {
    expect(read({ type: 'number', multipleOf: 0.1 }, '0.3').error).toBeUndefined()
    expect(read({ type: 'integer', multipleOf: 5 }, '7').error).toBeTruthy()
    expect(read({ type: 'number', exclusiveMinimum: 0 }, '0').error).toBe('Must be more than 0')
    expect(read({ type: 'number', exclusiveMaximum: 1 }, '1').error).toBe('Must be less than 1')
  })
})

describe('choices and lists', () => {
  it('send values, not titles', () => {
    expect(read({ oneOf: [{ const: 'r', title: 'Red' }, { const: 2 }] }, 1)).toEqual({ value: 2 })
    const several: Json = { type: 'array', items: { enum: ['a', 'b', 'c'] }, maxItems: 2 }
    expect(read(several, [2, 0])).toEqual({ value: ['a', 'c'] })
    expect(read(several, [0, 1, 2]).error).toBe('Takes at most 2; these are 3')
  })

  it('name the row that is wrong', () => {
    const numbers: Json = { type: 'array', items: { type: 'integer' } }
    expect(read(numbers, ['1', 'x']).error).toMatch(/^Item 2: /)
    expect(read(numbers, ['1', '9007199254740993'])).toEqual({ value: [1, new Exact('9007199254740993')] })
  })
})

describe('JSON', () => {
  const schema: Json = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }

  it('is checked for syntax and against its schema', () => {
    expect(read(schema, '{"a":').error).toMatch(/not JSON yet/)
    expect(read(schema, '{"a":"x"}').error).toMatch(/^a: /)
    expect(read(schema, '{}').error).toBeTruthy()
    expect(read(schema, '{"a":9007199254740993}')).toEqual({ value: { a: new Exact('9007199254740993') } })
  })

  it('passes when the schema itself is broken', () => {
    const broken: Json = { type: 'object', properties: { a: { $ref: '#/nowhere' } } }
    expect(read(broken, '{"a":"x"}').error).toBeUndefined()
  })
})

describe('firstInput', () => {
  it.each<[Json, Input]>([
    [text({ default: 'x' }), 'x'],
    [{ type: 'integer', default: 5 }, '5'],
    [{ type: 'boolean', default: false }, false],
    [{ enum: ['a', 'b'], default: 'b' }, 1],
    [{ type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] }, [1]],
    [{ type: 'array', items: text(), default: ['x'] }, ['x']],
    [{ type: 'object', default: { a: 1 } }, '{\n  "a": 1\n}'],
    [text({ default: 5 }), undefined],
    [text(), undefined],
  ])('%j', (schema, want) => {
    expect(firstInput(field(schema))).toEqual(want)
  })

  it('takes a required choice of one', () => {
    expect(firstInput(field({ const: 'only' }, true))).toBe(0)
    expect(firstInput(field({ const: 'only' }))).toBeUndefined()
  })

  it('draws no more rows than a person can see', () => {
    const list = { type: 'array', items: { type: 'string' }, minItems: 1e9 }
    expect(firstInput(field(list, true))).toHaveLength(10)
  })
})

describe('limitsOf', () => {
  it.each<[Json, string]>([
    [{ type: 'integer', minimum: 15, maximum: 480 }, 'Whole number, 15 to 480'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'Number, more than 0'],
    [text({ minLength: 8 }), 'At least 8 characters'],
    [text({ minLength: 1 }), ''],
    [text({ minLength: 1, maxLength: 9 }), 'Up to 9 characters'],
    [{ type: 'array', items: { enum: ['a'] }, minItems: 1 }, 'At least 1 choice'],
    [text({ minLength: 4, maxLength: 4 }), 'Exactly 4 characters'],
    [{ type: 'array', items: { enum: ['a'] }, maxItems: 2 }, 'Up to 2 choices'],
    [text(), ''],
  ])('%j', (schema, want) => {
    expect(limitsOf(field(schema))).toBe(want)
  })
})

it.each([
  ['In euros.', 'Number', 'In euros. Number'],
  ['In euros', 'Number', 'In euros. Number'],
  ['', 'Number', 'Number'],
  ['In euros.', '', 'In euros.'],
  ['', '', undefined],
])('sentences(%j, %j)', (first, second, want) => {
  expect(sentences(first, second)).toBe(want)
})
