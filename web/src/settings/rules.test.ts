import { describe, expect, it } from 'vitest'
import type { AuditEntry, Rule } from '../lib/wire'
import { decidedHow } from './audit'
import { aRule } from './fixture'
import { allowsAnything, decidedBy, moved, pathProblem, ruleDraft, ruleText, wireRule } from './rules'

const servers = { title: (name: string) => (name === 'ssh' ? 'Homelab SSH' : name) }

it.each<[Partial<Rule>, string]>([
  [{}, 'Ask first for every tool of any server'],
  [{ action: 'allow', server: 'ssh', tool: 'uptime' }, 'Allow the tool uptime of Homelab SSH'],
  [{ action: 'deny', tool: '*drop*', server: '*' }, 'Never allow tools named *drop* of any server'],
  [{ server: 'git*' }, 'Ask first for every tool of servers named git*'],
  [{ server: 'config', tool: 'register_mcp' }, 'Ask first for the tool register_mcp of Kontor itself'],
  [{ asker: 'person' }, 'Ask first for every tool of any server when you run it'],
  [{ asker: '*agent' }, 'Ask first for every tool of any server when the kind of asker is *agent'],
  [{ agent: 'night' }, 'Ask first for every tool of any server for the agent night'],
  [
    { tool: 'run', argument: { path: '/host', pattern: 'nas-*' } },
    'Ask first for the tool run of any server where /host is like nas-*',
  ],
  [
    { tool: 'run', argument: { path: '', pattern: '{"a":1}', exact: true } },
    'Ask first for the tool run of any server with exactly these arguments: {"a":1}',
  ],
])('says what a rule does', (more, want) => {
  expect(ruleText(aRule(more), servers)).toBe(want)
})

describe('a rule that is typed', () => {
  it('is written as it was read', () => {
    const rule = aRule({
      action: 'deny',
      tool: 'run',
      argument: { path: '/host', pattern: 'a*', exact: true },
      note: 'n',
    })
    expect(wireRule(ruleDraft(rule))).toEqual({
      ...{ action: 'deny', server: '', tool: 'run', asker: '', agent: '', note: 'n' },
      argument: { path: '/host', pattern: 'a*', exact: true },
    })
  })

  it.each([
    ['host', '/host'],
    [' /a/b ', '/a/b'],
    ['', ''],
  ])('takes %j for the path %j', (path, want) => {
    expect(wireRule({ ...ruleDraft(), argued: true, path }, 3)).toMatchObject({
      position: 3,
      argument: { path: want },
    })
  })

  it('leaves an argument out that isn’t asked for', () => {
    expect(wireRule({ ...ruleDraft(), path: 'x' })).not.toHaveProperty('argument')
    expect(pathProblem({ argued: false, path: '~' })).toBe('')
    expect(pathProblem({ argued: true, path: '/a~0b' })).toBe('')
    expect(pathProblem({ argued: true, path: '/a~b' })).toBe('Write ~ as ~0.')
  })

  it.each<[Partial<Rule>, boolean]>([
    [{ action: 'allow' }, true],
    [{ action: 'allow', tool: '*', asker: 'agent' }, true],
    [{ action: 'allow', server: 'ssh' }, false],
    [{ action: 'ask' }, false],
  ])('allows anything: %j', (more, want) => {
    expect(allowsAnything(aRule(more))).toBe(want)
  })
})

it('moves a rule, unless it stands there already', () => {
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b'], 'a', -1)).toBeNull()
  expect(moved(['a', 'b'], 'b', 1)).toBeNull()
  expect(moved(['a'], 'gone', 1)).toBeNull()
})

it('finds the rule that decided', () => {
  const rules = [aRule({ id: 'a' }), aRule({ id: 'b' })]
  expect(decidedBy({ action: 'ask', reason: '', rule: aRule({ id: 'b' }) }, rules)).toBe(2)
  expect(decidedBy({ action: 'ask', reason: '' }, rules)).toBe(0)
})

it.each<[Partial<AuditEntry>, string]>([
  [{ outcome: 'approved', scope: 'session', by: 'you' }, 'by you, for the chat'],
  [{ outcome: 'approved', scope: 'once', by: 'CI' }, 'by CI, for this once'],
  [{ outcome: 'rejected', by: 'you' }, 'by you'],
  [{ outcome: 'cancelled', by: 'call ended' }, 'call ended'],
  [{ outcome: 'allowed', rule_id: 'r1' }, 'by a rule'],
  [{ outcome: 'allowed' }, ''],
])('%j', (more, want) => {
  const entry = { outcome: 'allowed', by: '', scope: '', rule_id: '', ...more } as AuditEntry
  expect(decidedHow(entry)).toBe(want)
})
