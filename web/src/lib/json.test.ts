import { describe, expect, it } from 'vitest'
import {
  Exact,
  isExact,
  isObject,
  levelsOf,
  numberText,
  parseJson,
  printJson,
  sameJson,
  repeatedKeys,
} from './json'

it.each([
  ['7', 0],
  ['[]', 1],
  ['{"a":[1,{}],"b":[]}', 3],
])('%s has %d levels', (text, want) => {
  expect(levelsOf(parseJson(text))).toBe(want)
})

it('prints what is nested deeper than the stack, on one line', () => {
  const text = `${'{"a":['.repeat(50_000)}1,"b",null${'],"c":{}}'.repeat(50_000)}`
  const value = parseJson(text)
  expect(printJson(value) === text).toBe(true)
  expect(printJson(value, 2) === text).toBe(true)
})

describe('parseJson and printJson', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '1284.00',
    '1e400',
    '1E5',
    '0.1000000000000000055511151231257827',
    '-0',
  ])('keep the number %s as it was sent', (text) => {
    expect(printJson(parseJson(`{"n":${text}}`))).toBe(`{"n":${text}}`)
  })

  it('give plain numbers where a double loses nothing', () => {
    expect(parseJson('[1, 2.5, -3, 9007199254740992]')).toEqual([1, 2.5, -3, 9007199254740992])
    expect(isExact(parseJson('9007199254740993'))).toBe(true)
  })

  it('take the last of keys that occur twice', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 })
  })

  it('treat __proto__ as a key like any other', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}')
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('read what is nested deeper than the stack, beside all else', () => {
    const deep = '{"a":'.repeat(9990) + '1' + '}'.repeat(9990)
    const list = parseJson(`[{"tool":"one","schema":${deep}},{"tool":"two"}]`) as { tool: string }[]
    expect(list.map((entry) => entry.tool)).toEqual(['one', 'two'])
    expect(() => parseJson(deep.slice(1))).toThrow()
  })

  it('indent', () => {
    expect(printJson(parseJson('{"a":[1,{}]}'), 2)).toBe('{\n  "a": [\n    1,\n    {}\n  ]\n}')
  })
})

describe('isObject', () => {
  it('does not take an exact number for an object', () => {
    expect(isObject(new Exact('1.0'))).toBe(false)
    expect(isObject([])).toBe(false)
    expect(isObject(null)).toBe(false)
    expect(isObject({})).toBe(true)
  })
})

describe('numberText', () => {
  it('shows what was sent', () => {
    expect(numberText(new Exact('1284.00'))).toBe('1284.00')
    expect(numberText(12)).toBe('12')
  })
})

describe('sameJson', () => {
  it('compares numbers by value and objects without order', () => {
    expect(sameJson(parseJson('{"a":1.0,"b":[1]}'), parseJson('{"b":[1],"a":1}'))).toBe(true)
    expect(sameJson(parseJson('9007199254740993'), parseJson('9007199254740992'))).toBe(false)
    expect(sameJson(parseJson('{"a":null}'), parseJson('{}'))).toBe(false)
  })
})

it.each([
  ['{"a":1,"a":2,"b":[{"a":1,"a":"x"}]}', 2],
  ['{"a":1,"b":{"a":2}}', 0],
  ['{"a":1,', 0],
])('repeatedKeys of %s', (text, want) => {
  expect(repeatedKeys(text)).toBe(want)
})
