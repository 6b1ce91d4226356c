import { expect, it } from 'vitest'
import { aCall } from '../state/fake-call'
import { matches } from './search'

const call = aCall({
  arguments: { path: 'billing/round.go' },
  asker: { kind: 'gateway', label: 'Zed on laptop' },
  state: 'failed',
  error: { code: 'timeout', message: 'no sign of life for 60 s' },
})

it.each([
  ['', true],
  ['ROUND zed', true],
  ['billing database', true],
  ['sign of life', true],
  ['mcp__demo', true],
  ['round nothing', false],
])('%j', (search, want) => {
  expect(matches(call, ['Read a file', 'Billing database'], search)).toBe(want)
})
