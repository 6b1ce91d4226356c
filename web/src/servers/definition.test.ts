import { expect, it } from 'vitest'
import { parseJson } from '../lib/json'
import { changedParts, definitionDiff, type DiffLine } from './definition'

/** A line as text: the kind, then the parts, marked ones in brackets. */
function told(line: DiffLine): string {
  if (line.kind === 'skip') return `… ${line.count}`
  const sign = { same: ' ', del: '-', add: '+' }[line.kind]
  return sign + line.parts.map(({ text, mark }) => (mark ? `[${text}]` : text)).join('')
}

function diff(before: string, after: string) {
  return definitionDiff(parseJson(before), parseJson(after)).map(({ title, lines }) => [
    title,
    ...lines.map(told),
  ])
}

it('marks the words that changed, part by part, hints first', () => {
  expect(
    diff(
      '{"description":"Sets totals.\\nIn the old range only.","inputSchema":{},"annotations":{"destructiveHint":false}}',
      '{"description":"Sets totals.\\nIn the new range only.","inputSchema":{},"annotations":{"destructiveHint":true}}',
    ),
  ).toEqual([
    ['Hints', ' {', '-  "destructiveHint": [false]', '+  "destructiveHint": [true]', ' }'],
    ['Description', ' Sets totals.', '-In the [old] range only.', '+In the [new] range only.'],
  ])
})

it('shows what came and went whole', () => {
  expect(diff('{"title":"A","inputSchema":{}}', '{"inputSchema":{},"outputSchema":true}')).toEqual([
    ['Title', '-A'],
    ['Result', '+true'],
  ])
})

it('takes another order of members for no change, and folds what is far from one', () => {
  const properties = (last: string) =>
    ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => `"${key}":{"x":1,"y":2}`).join(',') + last
  const before = `{"inputSchema":{"type":"object","properties":{${properties('')}},"required":["a","z"]}}`
  const after = `{"inputSchema":{"required":["a"],"properties":{${properties('')}},"type":"object"}}`
  expect(diff(before, after)).toEqual([
    [
      'Arguments',
      ' {',
      '   "required": [',
      '-    "a"[,]',
      '-    "z"',
      '+    "a"',
      '   ],',
      '   "properties": {',
      '… 27',
    ],
  ])
  expect(diff(before, before)).toEqual([])
})

it('keeps numbers exact', () => {
  expect(
    diff('{"inputSchema":{"n":9007199254740993}}', '{"inputSchema":{"n":9007199254740992}}')[0],
  ).toContain('-  "n": [9007199254740993]')
})

it('names the parts in words', () => {
  const parts = (...titles: string[]) => changedParts(titles.map((title) => ({ title, lines: [] })))
  expect([parts(), parts('Hints'), parts('Hints', 'Title'), parts('Hints', 'Title', 'Result')]).toEqual([
    '',
    'hints',
    'hints and title',
    'hints, title and result',
  ])
})
