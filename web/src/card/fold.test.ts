import { describe, expect, it } from 'vitest'
import { brief, countLines, firstFold, fold, foldMiddle, wider } from './fold'

const numbered = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}`).join('\n')

describe('fold', () => {
  it('leaves short text whole', () => {
    expect(fold('a\nb\n', firstFold)).toEqual({ head: 'a\nb\n', lines: 2, shownLines: 2, hidden: 0 })
  })

  it('cuts after whole lines and says how many there are', () => {
    const text = numbered(3_000)
    const { head, lines, shownLines, hidden } = fold(text, firstFold)
    expect([lines, shownLines]).toEqual([3_000, 40])
    expect(head.endsWith('line 40')).toBe(true)
    expect(head.length + hidden).toBe(text.length)
  })

  it('hides no rest of a few lines', () => {
    expect(fold(numbered(44), firstFold).hidden).toBe(0)
  })

  it('cuts one line of a megabyte by characters', () => {
    const cut = fold('x'.repeat(1_000_000), firstFold)
    expect(cut).toMatchObject({ lines: 1, shownLines: 1, hidden: 994_000 })
  })

  it('never splits a character', () => {
    const { head } = fold('x' + '😀'.repeat(10_000), { lines: 10, chars: 100 })
    expect(head).toBe('x' + '😀'.repeat(49))
  })

  it('shows more in steps until all is shown', () => {
    const text = numbered(3_000)
    const next = wider(wider(firstFold))
    expect(fold(text, next).hidden).toBe(0)
  })
})

describe('countLines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
    ['\n\nb', 3],
  ])('of %j', (text, want) => {
    expect(countLines(text)).toBe(want)
  })
})

describe('foldMiddle', () => {
  it('keeps both ends and counts the middle', () => {
    expect(foldMiddle('abcdefghijkl', 8)).toEqual({ start: 'abcdef', hidden: 4, end: 'kl' })
    expect(foldMiddle('abc', 3)).toEqual({ start: 'abc', hidden: 0, end: '' })
    expect(foldMiddle('abc', Infinity).hidden).toBe(0)
  })

  it('parts no character', () => {
    const { start, end } = foldMiddle('🔑'.repeat(20), 10)
    expect([start, end].every((part) => part.isWellFormed())).toBe(true)
  })
})

it('shortens a long name, and says by how much', () => {
  expect(brief('Echo')).toBe('Echo')
  expect(brief('x'.repeat(1300), 100)).toBe(`${'x'.repeat(100)}… (1,200 more characters)`)
})
