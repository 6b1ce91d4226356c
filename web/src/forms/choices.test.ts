import { expect, it } from 'vitest'
import { readForm, type ChoiceField, type MultiField } from '../lib/schema'
import { found, mannerOf } from './choices'

const names = (count: number, name = 'choice') => Array.from({ length: count }, (_, i) => `${name} ${i}`)

function field(options: string[], { multi = false, required = true } = {}) {
  const one = { type: 'string', enum: options }
  const { fields } = readForm({
    type: 'object',
    properties: { x: multi ? { type: 'array', items: one } : one },
    required: required ? ['x'] : [],
  })
  return fields[0] as ChoiceField | MultiField
}

it.each([
  ['few that one of is needed', field(names(4)), 'radios'],
  ['few that none of is needed', field(names(4), { required: false }), 'select'],
  ['some', field(names(50)), 'select'],
  ['many', field(names(51)), 'list'],
  ['long ones', field(names(2, 'x'.repeat(200))), 'list'],
  ['several of some', field(names(30), { multi: true }), 'radios'],
  ['several of many', field(names(31), { multi: true }), 'list'],
])('%s are drawn as %#', (_, of, want) => {
  expect(mannerOf(of)).toBe(want)
})

it('finds every word, and puts what is chosen first', () => {
  const options = ['Red wine', 'White wine', 'Red cabbage'].map((label) => ({ value: label, label }))
  expect(found(options, '', new Set([2]))).toEqual([2, 0, 1])
  expect(found(options, 'WINE red', new Set([2]))).toEqual([0])
  expect(found(options, 'beer', new Set())).toEqual([])
})
