import { expect, it } from 'vitest'
import { filterOf, outcomes } from './outcome'

it.each([
  ['failed', { state: 'failed' }],
  ['done', { state: 'done', is_error: false }],
  ['tool_error', { state: 'done', is_error: true }],
  ['', {}],
  ['no such thing', {}],
])('%j chooses %j', (outcome, want) => {
  expect(filterOf(outcome)).toEqual(want)
})

it('offers nothing that chooses all', () => {
  for (const { value } of outcomes) expect(filterOf(value)).not.toEqual({})
})
