import { describe, expect, it } from 'vitest'
import { isMarkdown, jsonOf } from './format'

describe('isMarkdown', () => {
  it.each([
    ['a heading and a list', '# Result\n\n- one\n- two\n'],
    ['bold and a link', 'See **this** at [docs](https://x.example/y).'],
    ['a table with code', '| a | b |\n|---|---|\n| `1` | 2 |'],
  ])('knows %s', (_, text) => {
    expect(isMarkdown(text)).toBe(true)
  })

  it.each([
    ['prose', 'It is 7 degrees. Nothing else to say.'],
    ['a script with comments', '#!/bin/sh\n# install it\napt-get install x\n# done\n'],
    ['a log', '2026-11-30 12:00:01 [info] started\n2026-11-30 12:00:02 [warn] slow'],
    ['JSON', '{"a": "**b** `c`"}'],
    ['HTML', '<p>**b** `c`</p>'],
    ['terminal output', '\x1b[1m# a\x1b[0m **b**'],
    ['globs', 'src/**/*.ts src/**/*.go'],
  ])('leaves alone %s', (_, text) => {
    expect(isMarkdown(text)).toBe(false)
  })

  it('believes the type that the server gives', () => {
    expect(isMarkdown('plain', 'text/markdown; charset=utf-8')).toBe(true)
    expect(isMarkdown('# a\n\n- b\n- c', 'text/csv')).toBe(false)
  })

  it('stays quick with hostile text', () => {
    const start = performance.now()
    for (const text of [
      '```\n'.repeat(20_000),
      '[a'.repeat(60_000),
      '|---'.repeat(40_000),
      '- a\n'.repeat(40_000),
    ]) {
      isMarkdown(text)
    }
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('jsonOf', () => {
  it('reads objects and lists with exact numbers', () => {
    expect(JSON.stringify(jsonOf(' [9007199254740993]'))).toContain('9007199254740993')
  })

  it.each(['', '7', '"a"', '{not json', 'text {"a":1}', 'null'])('takes %j for text', (text) => {
    expect(jsonOf(text)).toBeNull()
  })
})
