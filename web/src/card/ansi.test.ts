import { describe, expect, it } from 'vitest'
import { hasAnsi, parseAnsi, stripAnsi } from './ansi'

describe('parseAnsi', () => {
  it.each([
    ['plain text', 'a < b', [{ text: 'a < b', look: '' }]],
    [
      'a colour and its end',
      '\x1b[31mno\x1b[0m ok',
      [
        { text: 'no', look: 'ansi-red' },
        { text: ' ok', look: '' },
      ],
    ],
    ['several codes at once', '\x1b[1;32;44mx', [{ text: 'x', look: 'ansi-green ansi-on-blue ansi-bold' }]],
    [
      'bright colours',
      '\x1b[91ma\x1b[39mb',
      [
        { text: 'a', look: 'ansi-red' },
        { text: 'b', look: '' },
      ],
    ],
    ['256 colours', '\x1b[38;5;196mx', [{ text: 'x', look: 'ansi-red' }]],
    ['true colour, with colons', '\x1b[38:2:20:200:30mx', [{ text: 'x', look: 'ansi-green' }]],
    [
      'an empty reset',
      '\x1b[4mu\x1b[mp',
      [
        { text: 'u', look: 'ansi-underline' },
        { text: 'p', look: '' },
      ],
    ],
    ['unknown codes', '\x1b[53mx', [{ text: 'x', look: '' }]],
  ])('%s', (_, text, want) => {
    expect(parseAnsi(text)).toEqual(want)
  })

  it.each([
    ['cursor moves', 'a\x1b[2Kb\x1b[10;5Hc', 'abc'],
    ['hyperlinks keep their text only', '\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x07', 'link'],
    ['an unfinished sequence', 'a\x1b]0;title', 'a'],
    ['controls', 'a\x00\x08b\tc', 'ab\tc'],
    ['markup stays text', '<b>\x1b[1m</b>', '<b></b>'],
    ['a progress bar', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['line ends of Windows', 'a\r\nb\r\r\nc\r', 'a\nb\nc'],
  ])('leaves out %s', (_, text, want) => {
    expect(stripAnsi(text)).toBe(want)
  })

  it('is linear in the text', () => {
    const text = '\x1b]'.repeat(20_000)
    const start = performance.now()
    parseAnsi(text)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('hasAnsi', () => {
  it('tells terminal text from others', () => {
    expect([hasAnsi('\x1b[1mx'), hasAnsi('[1m')]).toEqual([true, false])
  })
})
