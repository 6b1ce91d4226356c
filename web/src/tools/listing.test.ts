import { describe, expect, it } from 'vitest'
import type { Claim } from '../lib/wire'
import { aTool } from './fixture'
import { effectOf, groupTools, price, type Effect, type EffectFilter } from './listing'

const servers = [
  { name: 'pg', friendly_name: 'Billing database', enabled: true },
  { name: 'demo', friendly_name: '', enabled: true },
  { name: 'old', friendly_name: 'Old', enabled: false },
]
const tools = [
  aTool({
    server: 'pg',
    tool: 'query',
    title: 'Run a query',
    claims: [{ kind: 'reads', words: 'says it only reads' }],
  }),
  aTool({
    server: 'pg',
    tool: 'correct',
    description: 'Corrects the ledger',
    claims: [{ kind: 'destroys', words: 'may destroy' }],
  }),
  aTool({
    server: 'demo',
    tool: 'echo',
    claims: [{ kind: 'spares', words: 'says it destroys nothing' }],
    changed: { old: {}, new: {}, at: '2026-11-30T09:00:00.000Z' },
  }),
]
const found = (text: string, effect: EffectFilter = 'all') =>
  groupTools(tools, servers, { text, effect }).map((g) => [g.title, ...g.tools.map((t) => t.tool)])

describe('groupTools', () => {
  it('groups by server in the order of titles, and leaves the tools in theirs', () => {
    expect(found('')).toEqual([
      ['Billing database', 'query', 'correct'],
      ['demo', 'echo'],
    ])
  })

  it.each([
    ['BILLING', [['Billing database', 'query', 'correct']]],
    ['ledger', [['Billing database', 'correct']]],
    ['run billing', [['Billing database', 'query']]],
    ['mcp__demo', [['demo', 'echo']]],
    ['nothing like it', []],
  ])('searches for %j', (text, want) => {
    expect(found(text)).toEqual(want)
  })

  it('filters by what tools claim', () => {
    expect(found('', 'reads')).toEqual([['Billing database', 'query']])
    expect(found('', 'destroys')).toEqual([['Billing database', 'correct']])
  })

  it('filters by what changed', () => {
    expect(found('', 'changed')).toEqual([['demo', 'echo']])
    expect(found('ledger', 'changed')).toEqual([])
  })

  it('shows a server whose tools are not known yet, but only while nothing is searched', () => {
    const groups = groupTools([], servers, { text: '', effect: 'all' })
    expect(groups.map((g) => g.server)).toEqual(['pg', 'demo'])
    expect(groupTools([], servers, { text: 'x', effect: 'all' })).toEqual([])
  })
})

it('counts the price of offered tools only', () => {
  expect(price([aTool(), aTool({ enabled: false }), aTool({ app_only: true })])).toBe(100)
})

it.each<[Claim['kind'][], Effect]>([
  [[], 'silent'],
  [['silent', 'repeatable'], 'silent'],
  [['reads', 'destroys'], 'destroys'],
  [['destroys', 'outside'], 'destroys'],
  [['reads', 'repeatable'], 'reads'],
  [['spares'], 'spares'],
])('what claims %j is shown as %s', (kinds, want) => {
  expect(effectOf({ claims: kinds.map((kind) => ({ kind, words: '' })) })).toBe(want)
})
