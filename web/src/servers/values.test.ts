import { describe, expect, it } from 'vitest'
import type { Server } from '../lib/wire'
import {
  emptyValue,
  isMasked,
  referenceHint,
  references,
  referencesOf,
  valueDraft,
  valueDrafts,
  valueProblems,
  wireValue,
  wireValues,
} from './values'

describe('a value, read and written', () => {
  it.each([
    ['a reference', '${TOKEN}'],
    ['one that is no secret', { value: 'debug', plain: true }],
    ['a stored secret', { set: true }],
  ])('comes back as it was: %s', (_, value) => {
    expect(wireValue(valueDraft(0, 'X', value))).toEqual(value)
  })

  it('is a string when it is typed, an object when it is marked as no secret', () => {
    expect(wireValue({ ...emptyValue(0, 'X'), text: 'abc' })).toBe('abc')
    expect(wireValue({ ...emptyValue(0, 'X'), text: 'abc', plain: true })).toEqual({
      value: 'abc',
      plain: true,
    })
  })

  it('replaces or clears a stored secret when asked to', () => {
    const stored = valueDraft(0, 'X', { set: true })
    expect(wireValue({ ...stored, intent: 'set', text: 'new' })).toBe('new')
    expect(wireValue({ ...stored, intent: 'clear' })).toBeNull()
  })
})

describe('wireValues', () => {
  const before = { KEPT: { set: true }, GONE: { set: true }, PLAIN: { value: 'x', plain: true } }

  it('clears what was removed, keeps what was not touched', () => {
    const drafts = valueDrafts(before).filter(({ name }) => name !== 'GONE')
    expect(wireValues(drafts, before)).toEqual({ ...before, GONE: null })
  })

  it('leaves out rows without a name', () => {
    expect(wireValues([emptyValue(0), { ...emptyValue(1, 'A'), text: 'b' }])).toEqual({ A: 'b' })
  })
})

it('masks whatever may be a secret', () => {
  const typed = (text: string, plain = false) => isMasked({ ...emptyValue(0), text, plain })
  expect(typed('')).toBe(true)
  expect(typed('abc')).toBe(true)
  expect(typed('Bearer ${TOKEN}')).toBe(false)
  expect(typed('${TOKEN}')).toBe(false)
  expect(typed('postgres://me:${TOKEN}@db')).toBe(true)
  expect(typed('abc', true)).toBe(false)
})

describe('references', () => {
  it('finds names, with and without defaults', () => {
    expect(references('${A} ${B_2:-x} $C $$ ${} ${1}')).toEqual(['A', 'B_2'])
  })

  it('finds them everywhere in a configuration', () => {
    const server = {
      command: 'npx',
      args: ['--key', '${ARG}'],
      cwd: '${CWD}',
      url: '',
      env: { A: '${ENV}', B: { set: true }, C: { value: '${PLAIN}/x', plain: true } },
      headers: {},
    } as unknown as Server
    expect([...referencesOf(server)].sort()).toEqual(['ARG', 'CWD', 'ENV', 'PLAIN'])
  })

  it('says what nothing stored answers to', () => {
    expect(referenceHint('${A}', ['A'])).toBe('')
    expect(referenceHint('plain', [])).toBe('')
    expect(referenceHint('${A}${B}', ['A'])).toContain('No secret named B')
    expect(referenceHint('${KONTOR_KEY}', ['KONTOR_KEY'])).toContain('never given')
  })
})

describe('valueProblems', () => {
  const rows = (...names: string[]) => names.map((name, id) => ({ ...emptyValue(id, name), text: 'x' }))

  it('names what is missing, odd or there twice', () => {
    expect(valueProblems(rows('A', '', 'A=B', 'A'), 'env')).toEqual(
      new Map([
        [1, 'Give it a name.'],
        [2, 'A name can’t hold =.'],
        [3, 'A is there twice.'],
      ]),
    )
  })

  it('takes headers of different case for the same', () => {
    expect(valueProblems(rows('X-Key', 'x-key'), 'headers').get(1)).toContain('twice')
    expect(valueProblems(rows('X Key'), 'headers').get(0)).toContain('no blanks')
  })

  it('overlooks rows that say nothing yet', () => {
    expect(valueProblems([emptyValue(0), emptyValue(1)], 'env').size).toBe(0)
  })
})
