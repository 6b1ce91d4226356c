import { describe, expect, it } from 'vitest'
import { aMessage, anAnswer, aResult } from './fixture'
import { chunksOf, reread, resultsOf, useKey, withMessage, without, withOlder } from './messages'

const list = (...ids: string[]) => ids.map((id) => aMessage(id))
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id).join(' ')

describe('withMessage', () => {
  it.each([
    ['a b c', 'd', 'a b c d'],
    ['a c d', 'b', 'a b c d'],
    ['b', 'a', 'a b'],
    ['', 'a', 'a'],
    ['a b', 'b', 'a b'],
    ['a b', 'a', 'a b'],
  ])('%s and %s are %s', (before, id, after) => {
    const known = list(...before.split(' ').filter(Boolean))
    const now = withMessage(known, aMessage(id, { finish: 'stop' }))
    expect(ids(now)).toBe(after)
    expect(now.find((message) => message.id === id)?.finish).toBe('stop')
  })
})

it('drops what was replaced, and all that followed', () => {
  expect(ids(without(list('a', 'b', 'c'), 'b'))).toBe('a')
  expect(ids(without(list('a', 'b', 'c'), 'x'))).toBe('a b c')
})

it('puts an older page before, each message once', () => {
  expect(ids(withOlder(list('c', 'd'), list('c', 'b', 'a')))).toBe('a b c d')
  expect(ids(withOlder([], list('b', 'a')))).toBe('a b')
})

describe('reread', () => {
  it('keeps what is older when nothing is missing in between', () => {
    const now = reread(list('a', 'b', 'c', 'x'), list('e', 'd', 'c'))
    expect([ids(now.list), now.joined]).toEqual(['a b c d e', true])
  })
  it('begins anew when something may be', () => {
    const now = reread(list('a', 'b'), list('f', 'e'))
    expect([ids(now.list), now.joined]).toEqual(['e f', false])
  })
  it('knows a chat that lost all its messages', () => {
    expect(reread(list('a'), []).list).toEqual([])
  })
})

it('finds the result of a call, also where a model gives an id again', () => {
  const uses = (id: string) => anAnswer(id, [{ kind: 'tool_use', use_id: 'u1', name: 'notify' }])
  const results = resultsOf([
    aResult('0', 'u1', { text: 'its call is on the page before' }),
    uses('a'),
    aResult('b', 'u1', { text: 'one' }),
    uses('c'),
    aMessage('d'),
    aResult('e', 'u1', { text: 'two' }),
  ])
  expect([results.get(useKey('a', 'u1'))?.text, results.get(useKey('c', 'u1'))?.text]).toEqual(['one', 'two'])
})

describe('chunksOf', () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => aMessage(String(from + i).padStart(6, '0')))
  it('leaves every message in its chunk when older ones come, and newer ones', () => {
    const before = chunksOf(many(5000, 5050), '005000')
    const after = chunksOf(many(4950, 5060), '005000')
    for (const { key, rows } of before.slice(0, -1)) {
      expect(ids(after.find((chunk) => chunk.key === key)?.rows ?? [])).toBe(ids(rows))
    }
    expect(after.flatMap(({ rows }) => rows)).toHaveLength(110)
    expect(Math.max(...after.map(({ rows }) => rows.length))).toBe(16)
  })
  it('gives results no place of their own', () => {
    expect(
      chunksOf([aMessage('a'), aResult('b', 'u'), aMessage('c')], 'a').map(({ rows }) => ids(rows)),
    ).toEqual(['a c'])
  })
  it('is quick with 10,000', () => {
    expect(chunksOf(many(0, 10_000), '009950').flatMap(({ rows }) => rows)).toHaveLength(10_000)
  })
})
