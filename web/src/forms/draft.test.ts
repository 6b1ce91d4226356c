import { describe, expect, it } from 'vitest'
import { Exact } from '../lib/json'
import type { Field } from '../lib/schema'
import { FormDraft } from './draft.svelte'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0, default: 7 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
}

function field(draft: FormDraft, name: string): Field {
  return draft.form.fields.find((f) => f.name === name) as Field
}

describe('FormDraft', () => {
  it('starts with defaults and shows no errors', () => {
    const draft = new FormDraft(schema)
    expect(Object.fromEntries(draft.inputs)).toEqual({ name: undefined, age: '7', tags: undefined })
    expect(draft.errorCount).toBe(0)
  })

  it('gives null and shows errors until they are fixed', () => {
    const draft = new FormDraft(schema)
    expect(draft.read()).toBeNull()
    expect(draft.error('name')).toBeTruthy()
    expect(draft.errorCount).toBe(1)
    draft.set(field(draft, 'name'), 'Mira')
    expect(draft.errorCount).toBe(0)
    expect(draft.read()).toEqual({ name: 'Mira', age: 7 })
  })

  it('shows an error once a field is left, but not for one that is just empty', () => {
    const draft = new FormDraft(schema)
    draft.leave(field(draft, 'name'))
    expect(draft.error('name')).toBeUndefined()
    draft.set(field(draft, 'age'), '-1')
    expect(draft.error('age')).toBeUndefined()
    draft.leave(field(draft, 'age'))
    expect(draft.error('age')).toBe('Must be 0 or more')
  })

  it('starts a list that must have items with their rows, which are nothing wrong yet', () => {
    const items = { type: 'string' }
    const draft = new FormDraft({
      type: 'object',
      properties: { must: { type: 'array', items, minItems: 2 }, may: { type: 'array', items, minItems: 2 } },
      required: ['must'],
    })
    expect(Object.fromEntries(draft.inputs)).toEqual({ must: ['', ''], may: undefined })
    draft.leave(field(draft, 'must'))
    expect(draft.error('must')).toBeUndefined()
    draft.set(field(draft, 'must'), ['a', ''])
    draft.leave(field(draft, 'must'))
    expect(draft.error('must')).toBe('Item 2: Fill this in')
    expect(draft.read()).toBeNull()
    draft.set(field(draft, 'must'), ['a', 'b'])
    expect(draft.read()).toEqual({ must: ['a', 'b'] })
  })

  it('leaves out what is empty, and gives null only where it was put', () => {
    const draft = new FormDraft({
      type: 'object',
      properties: {
        a: { type: 'string' },
        n: { anyOf: [{ type: 'array' }, { type: 'null' }], default: null },
        age: { type: 'integer', default: 7 },
      },
    })
    draft.set(field(draft, 'n'), undefined)
    draft.set(field(draft, 'age'), '')
    expect(draft.read()).toEqual({})
    draft.mode = 'json'
    draft.jsonText = '{"n":null}'
    expect(draft.read()).toEqual({ n: null })
  })

  it('takes what was typed to JSON and back, with values it has no field for', () => {
    const draft = new FormDraft(schema)
    draft.set(field(draft, 'name'), 'Mira')
    draft.mode = 'json'
    expect(JSON.parse(draft.jsonText)).toEqual({ name: 'Mira', age: 7 })
    draft.jsonText = '{"name":"Ann","age":9007199254740993,"more":[1]}'
    expect(draft.read()).toEqual({ name: 'Ann', age: new Exact('9007199254740993'), more: [1] })
    draft.mode = 'form'
    expect(Object.fromEntries(draft.inputs)).toMatchObject({ name: 'Ann', age: '9007199254740993' })
    expect(draft.read()).toEqual({ name: 'Ann', age: new Exact('9007199254740993'), more: [1] })
  })

  it('stays in JSON while it is broken or no object', () => {
    const draft = new FormDraft(schema)
    draft.mode = 'json'
    for (const text of ['{', '[1]']) {
      draft.jsonText = text
      draft.mode = 'form'
      expect(draft.mode).toBe('json')
      expect(draft.jsonError).toBeTruthy()
      expect(draft.read()).toBeNull()
    }
  })

  it('shows what the server had against a field until it changes', () => {
    const draft = new FormDraft(schema)
    draft.set(field(draft, 'name'), 'Mira')
    draft.refuse([{ location: 'body.content.name', message: 'is taken' }])
    expect(draft.error('name')).toBe('Is taken')
    draft.set(field(draft, 'name'), 'Ann')
    expect(draft.error('name')).toBeUndefined()
  })

  it('shows what the server had against a part of a field at the field', () => {
    const draft = new FormDraft(schema)
    draft.refuse([{ location: 'body.content.tags.1', message: 'must match the pattern ^a$' }])
    expect(draft.error('tags')).toBe('Must match the pattern ^a$')
  })

  it('sends fields that are named like what every object has', () => {
    const text = { type: 'string' }
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    const draft = new FormDraft({ properties: Object.fromEntries(names.map((name) => [name, text])) })
    expect(draft.form.fields.map(({ name }) => name)).toEqual(names)
    expect(draft.read()).toEqual({})
    for (const name of names) {
      expect([draft.error(name), draft.inputs.get(name)]).toEqual([undefined, undefined])
      draft.set(field(draft, name), 'x')
      draft.refuse([{ location: `body.content.${name}`, message: 'Taken' }])
      expect(draft.error(name)).toBe('Taken')
    }
    const all = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])))
    expect(JSON.stringify(draft.read())).toBe(all)
    draft.fill({})
    expect(draft.read()).toEqual({})
    draft.mode = 'json'
    draft.jsonText = all
    draft.mode = 'form'
    expect(JSON.stringify(draft.read())).toBe(all)
  })

  it('does not hold against anyone a default that nobody touched', () => {
    const draft = new FormDraft({ properties: { o: { type: 'object', required: ['a'], default: {} } } })
    expect(draft.read()).toEqual({ o: {} })
    draft.set(field(draft, 'o'), '{"b":1}')
    expect(draft.read()).toBeNull()
  })

  it('leaves a stranger’s regular expression to the server', () => {
    const pattern = '^(a+)+$'
    const text = `${'a'.repeat(42)}!`
    const draft = new FormDraft({ properties: { a: { type: 'string', pattern, default: text } } })
    expect(draft.read()).toEqual({ a: text })
    draft.mode = 'json'
    expect(draft.read()).toEqual({ a: text })
  })

  it('has the JSON editor alone for what has no fields', () => {
    const draft = new FormDraft({ type: 'object', additionalProperties: { type: 'integer' } })
    expect(draft.mode).toBe('json')
    expect(draft.read()).toEqual({})
    draft.jsonText = '{"a":"x"}'
    expect(draft.read()).toBeNull()
    expect(draft.jsonError).toMatch(/^a: /)
    draft.jsonText = '{"a":1}'
    expect(draft.read()).toEqual({ a: 1 })
  })

  it('fills in an earlier run and goes back to defaults', () => {
    const draft = new FormDraft(schema)
    draft.fill({ name: 'Mira', tags: ['a', 'b'] })
    expect(draft.read()).toEqual({ name: 'Mira', tags: ['a', 'b'] })
    draft.reset()
    expect(Object.fromEntries(draft.inputs)).toEqual({ name: undefined, age: '7', tags: undefined })
  })
})
