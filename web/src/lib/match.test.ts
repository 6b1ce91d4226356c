import { expect, it } from 'vitest'
import { match } from './match'

const marked = (query: string, text: string, more?: string) =>
  match(query, text, more)
    ?.parts.map(({ text: part, hit }) => (hit ? `[${part}]` : part))
    .join('')

it.each([
  ['re', 'Read a file', '[Re]ad a file'],
  ['fi re', 'Read a file', '[Re]ad a [fi]le'],
  ['form', 'Reform form', 'Reform [form]'],
  ['eform', 'Reform', 'R[eform]'],
  ['read re', 'Read', '[Read]'],
  ['', 'Read', 'Read'],
])('%s in %s', (query, text, want) => {
  expect(marked(query, text)).toBe(want)
})

it('needs every word, but may find it in what is not shown', () => {
  expect(match('read github', 'Read a file')).toBeNull()
  expect(marked('read github', 'Read a file', 'GitHub')).toBe('[Read] a file')
})

it('prefers the start of the text, then of a word', () => {
  const score = (text: string) => match('re', text)?.score ?? 0
  expect(score('Read')).toBeGreaterThan(score('A reader'))
  expect(score('A reader')).toBeGreaterThan(score('Tree'))
})
