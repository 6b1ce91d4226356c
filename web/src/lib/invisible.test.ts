import { expect, it } from 'vitest'
import { hides, visible, writtenOut } from './invisible'

it.each([
  ['plain text', 'plain text'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['from\r\nWindows', 'from\r\nWindows'],
  ['a\rb', 'a‹U+000D›b'],
  ['safe\u202egpj.exe', 'safe‹U+202E›gpj.exe'],
  ['a\u200bb\u{e0041}', 'a‹U+200B›b‹U+E0041›'],
  ['\u001b[2J', '‹U+001B›[2J'],
])('%j is read as %j', (text, want) => {
  expect(visible(text)).toBe(want)
  expect(hides(text)).toBe(text !== want)
})

it('writes line breaks out where they are none', () => {
  expect(writtenOut('a\nb')).toBe('a‹U+000A›b')
})
