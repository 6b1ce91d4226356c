import { expect, it } from 'vitest'
import { tokens } from './tokens'

/** The pieces that have a colour, each after its class. */
const coloured = (text: string) =>
  tokens(text)
    .filter(({ kind }) => kind !== '')
    .map(({ text: piece, kind }) => `${kind} ${piece}`)

it('colours keys, strings, numbers and atoms', () => {
  expect(coloured('{ "a\\"b" : [-1.5e+9, "x: \\\\", true, null] }')).toEqual([
    'k "a\\"b"',
    'n -1.5e+9',
    's "x: \\\\"',
    'a true',
    'a null',
  ])
})

it('gives back all of the text, whatever it is', () => {
  for (const text of [
    '',
    '{"a": "cut of',
    'no JSON at all "',
    '{"n":1,"n":"2"}\n',
    '(12 bytes … are not kept)',
  ]) {
    expect(
      tokens(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  }
})
