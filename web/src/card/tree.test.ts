import { describe, expect, it } from 'vitest'
import { parseJson, type Json } from '../lib/json'
import {
  deepest,
  openAtFirst,
  pageSize,
  preview,
  revealed,
  searchTree,
  toggled,
  treeRows,
  treeStep,
  withMore,
  type Range,
} from './tree'

const closed = { open: new Set<string>(), shown: new Map<string, Range>() }
const value = parseJson('{"rows":[{"id":9007199254740993,"a/b":"x"},{"id":2}],"empty":[],"n":null}')
const lines = (root: Json, view = { ...closed, open: openAtFirst(root) }) =>
  treeRows(root, view).map((row) => row.pointer)

describe('what is nested ten thousand deep', () => {
  const deep = parseJson(`${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`)

  it('opens a little at first, and level by level up to a bound', () => {
    expect(lines(deep).length).toBeLessThan(20)
    let view = { ...closed, open: openAtFirst(deep) }
    for (let row = treeRows(deep, view).at(-1); row?.kind === 'branch' && !row.open;) {
      view = { ...view, open: new Set([...view.open, row.pointer]) }
      row = treeRows(deep, view).at(-1)
    }
    const rows = treeRows(deep, view)
    expect(rows.length).toBe(deepest + 1)
    expect(rows.at(-1)).toMatchObject({ kind: 'leaf', depth: deepest })
  })

  it('is searched as deep as it is shown, and says that there is more', () => {
    expect(searchTree(deep, 'a')).toMatchObject({ pointers: { length: deepest / 2 }, more: true })
  })
})

describe('treeRows', () => {
  it('shows the root alone while it is closed', () => {
    expect(lines(value, closed)).toEqual([''])
  })

  it('lists what is open, in order, with escaped pointers', () => {
    expect(lines(value)).toEqual([
      '',
      '/rows',
      '/rows/0',
      '/rows/0/id',
      '/rows/0/a~1b',
      '/rows/1',
      '/rows/1/id',
      '/empty',
      '/n',
    ])
  })

  it('makes empty arrays and objects leaves', () => {
    const row = treeRows(value, { ...closed, open: new Set(['']) }).find((r) => r.pointer === '/empty')
    expect(row?.kind).toBe('leaf')
  })

  it('ends a long branch with what is left, and shows more on demand', () => {
    const long = Array.from({ length: 10_000 }, (_, i) => i)
    let view = { ...closed, open: openAtFirst(long) } as Parameters<typeof treeRows>[1]
    expect(treeRows(long, view)).toHaveLength(pageSize + 2)
    expect(treeRows(long, view).at(-1)).toMatchObject({
      kind: 'more',
      side: 'after',
      hidden: 9_900,
      of: 10_000,
    })
    view = withMore(view, '', 'after')
    expect(treeRows(long, view)).toHaveLength(pageSize * 11 + 2)
  })

  it('says of each row where it stands among its siblings', () => {
    const row = treeRows(value, { ...closed, open: new Set(['']) })[2]
    expect(row).toMatchObject({ pointer: '/empty', nth: 2, of: 3, depth: 1 })
  })
})

describe('openAtFirst', () => {
  it('follows only children, however long the list at their end', () => {
    const open = openAtFirst({ result: { rows: Array.from({ length: 500 }, () => ({ a: 1 })) } })
    expect([...open]).toEqual(['', '/result', '/result/rows'])
  })
})

describe('searchTree', () => {
  it('finds keys and values without regard to case, exact numbers by their digits', () => {
    expect(searchTree(value, '740993').pointers).toEqual(['/rows/0/id'])
    expect(searchTree(value, 'ID').pointers).toEqual(['/rows/0/id', '/rows/1/id'])
  })

  it('stops at the limit and says so', () => {
    expect(searchTree([1, 1, 1], '1', 2)).toEqual({ pointers: ['/0', '/1'], more: true })
    expect(searchTree([1, 1], '1', 2).more).toBe(false)
  })

  it('reveals a match deep in a long list', () => {
    const long = { list: Array.from({ length: 5_000 }, (_, i) => ({ n: i })) }
    const view = revealed(long, closed, '/list/4321/n')
    const rows = treeRows(long, view)
    expect(rows.some((row) => row.pointer === '/list/4321/n')).toBe(true)
    expect(rows.length).toBeLessThan(2 * pageSize)
    expect(rows.filter((row) => row.kind === 'more').map((row) => [row.side, row.hidden])).toEqual([
      ['before', 4_271],
      ['after', 629],
    ])
    expect(treeRows(long, withMore(view, '/list', 'before'))).toHaveLength(rows.length + 1_000)
  })
})

describe('treeStep', () => {
  const view = { ...closed, open: new Set(['', '/rows']) }
  const rows = treeRows(value, view)
  const at = (pointer: string) => rows.findIndex((row) => row.pointer === pointer)
  it.each([
    ['ArrowRight', '/rows', { to: 2 }],
    ['ArrowRight', '/rows/0', { toggle: '/rows/0' }],
    ['ArrowRight', '/n', null],
    ['ArrowLeft', '/rows', { toggle: '/rows' }],
    ['ArrowLeft', '/rows/1', { to: 1 }],
    ['Home', '/n', { to: 0 }],
    ['End', '', { to: 5 }],
    ['x', '', null],
  ])('%s on %s', (key, pointer, want) => {
    expect(treeStep(rows, at(pointer), key)).toEqual(want)
  })

  it('opens and closes by toggling', () => {
    expect(toggled(view, '/rows').open.has('/rows')).toBe(false)
    expect(toggled(view, '/rows/0').open.has('/rows/0')).toBe(true)
  })
})

describe('preview', () => {
  it.each([
    ['[]', '0 items'],
    ['[1]', '1 item'],
    ['{}', '{ }'],
    [
      '{"id":9007199254740993,"no":"2026-10","x":[1],"y":1,"z":2}',
      '{ id: 9007199254740993, no: "2026-10", x: […], y: 1, … }',
    ],
    [`{"t":"${'a'.repeat(40)}"}`, `{ t: "${'a'.repeat(28)}…" }`],
  ])('of %s', (text, want) => {
    expect(preview(parseJson(text))).toBe(want)
  })
})
