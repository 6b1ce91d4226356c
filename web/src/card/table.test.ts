import { describe, expect, it } from 'vitest'
import { parseJson } from '../lib/json'
import { cellText, tableOf, toCsv } from './table'

const columns = (text: string) => tableOf(parseJson(text))?.columns.map((c) => c.name)

describe('tableOf', () => {
  it('unites the columns of all rows in the order of their first appearance', () => {
    expect(columns('[{"a":1,"b":2},{"c":3,"a":4}]')).toEqual(['a', 'b', 'c'])
  })

  it('finds the one list among the members of an object', () => {
    expect(tableOf(parseJson('{"total":2,"rows":[{"a":1}]}'))?.pointer).toBe('/rows')
  })

  it.each([
    '[]',
    '[1,2]',
    '[{"a":1},2]',
    '[{}]',
    '{"a":1}',
    '{"a":[{"x":1}],"b":[{"y":1}]}',
    '"text"',
    'null',
  ])('finds none in %s', (text) => {
    expect(tableOf(parseJson(text))).toBeNull()
  })

  it('aligns a column as figures only when all of its values are numbers or null', () => {
    const table = tableOf(parseJson('[{"n":null,"m":1,"s":"1","z":null},{"n":1e400,"m":"x","s":2,"z":null}]'))
    expect(table?.columns.filter((c) => c.numeric).map((c) => c.name)).toEqual(['n'])
  })
})

describe('cellText', () => {
  it('prints numbers as they were sent', () => {
    const row = tableOf(parseJson('[{"id":9007199254740993,"total":1284.00}]'))?.rows[0]
    expect([cellText(row?.['id']), cellText(row?.['total']), cellText(row?.['none'])]).toEqual([
      '9007199254740993',
      '1284.00',
      '',
    ])
  })
})

describe('toCsv', () => {
  it('quotes what must be quoted and disarms formulas, but not negative numbers', () => {
    const table = tableOf(parseJson('[{"a":"x,\\"y\\"","b":"=1+1","c":-5}]'))
    expect(table && toCsv(table)).toBe('a,b,c\r\n"x,""y""",\'=1+1,-5\r\n')
  })
})
