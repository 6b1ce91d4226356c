import { describe, expect, it } from 'vitest'
import { joinLines, logTone, shownRows, type LogFilter } from './log'

const line = (text: string, tag = 'stderr', second = 1) => ({
  at: `2026-11-30T10:00:0${second}.000Z`,
  tag,
  text,
})

describe('joinLines', () => {
  it('takes what came while it was being read once', () => {
    const read = [line('a'), line('b')]
    expect(joinLines(read, [line('b'), line('c')])).toEqual([line('a'), line('b'), line('c')])
  })

  it('keeps lines that truly say the same', () => {
    expect(joinLines([line('a')], [line('a'), line('a')])).toEqual([line('a'), line('a')])
    expect(joinLines([line('a')], [line('a', 'stderr', 2)])).toHaveLength(2)
  })
})

describe('shownRows', () => {
  const rows = ['stderr', 'info', 'warning', 'lifecycle', 'not_protocol'].map((tag, id) => ({
    ...line(`says ${tag}`, tag),
    id,
  }))

  it.each<[LogFilter, string, string[]]>([
    ['all', '', ['not_protocol', 'lifecycle', 'warning', 'info', 'stderr']],
    ['stderr', '', ['stderr']],
    ['messages', '', ['warning', 'info']],
    ['kontor', '', ['not_protocol', 'lifecycle']],
    ['trouble', '', ['not_protocol', 'warning']],
    ['all', ' SAYS w', ['warning']],
  ])('%s, %j: newest first', (filter, search, want) => {
    expect(shownRows(rows, filter, search).map(({ tag }) => tag)).toEqual(want)
  })
})

it.each([
  ['emergency', 'bad'],
  ['warning', 'warn'],
  ['lifecycle', 'info'],
  ['debug', ''],
])('gives %s the tone %j', (tag, tone) => {
  expect(logTone(tag)).toBe(tone)
})
