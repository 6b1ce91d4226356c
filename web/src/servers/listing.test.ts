import { describe, expect, it } from 'vitest'
import { serverOf } from './fixture'
import { countFilters, inOrder, listed } from './listing'

const servers = [
  serverOf({ name: 'zeta', enabled: false }),
  serverOf({ name: 'alpha', friendly_name: 'Beta 10' }),
  serverOf({ name: 'b2', friendly_name: 'beta 2', description: 'The second' }),
  serverOf({ name: 'slow', status: { state: 'connecting' } }),
  serverOf({
    name: 'gh',
    transport: 'http',
    url: 'https://gh.example/mcp',
    status: { state: 'needs_sign_in' },
  }),
  serverOf({ name: 'broken', command: 'npx', args: ['obsidian-mcp'], status: { state: 'failed' } }),
  serverOf({ name: 'stopping', enabled: false, status: { state: 'ready' } }),
]
const names = (list: typeof servers) => list.map(({ name }) => name)

it('lists what asks for the person first, then by title', () => {
  expect(names(inOrder(servers))).toEqual(['broken', 'gh', 'slow', 'b2', 'alpha', 'stopping', 'zeta'])
})

it('counts what each filter lets through', () => {
  expect(countFilters(servers)).toEqual({ all: 7, attention: 2, ready: 2, off: 2 })
})

describe('listed', () => {
  it.each([
    ['attention', '', ['broken', 'gh']],
    ['off', '', ['stopping', 'zeta']],
    ['all', 'beta', ['b2', 'alpha']],
    ['all', 'SECOND beta', ['b2']],
    ['all', 'obsidian', ['broken']],
    ['all', 'gh.example', ['gh']],
    ['ready', 'obsidian', []],
  ] as const)('%s, %j', (filter, search, want) => {
    expect(names(listed(servers, filter, search))).toEqual(want)
  })
})
