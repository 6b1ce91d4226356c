import { expect, it } from 'vitest'
import { aTool } from '../tools/fixture'
import { acceptedWords, changedOf, changedWords, recently } from './changed'

const change = (at: string) => ({ old: {}, new: {}, at })

it('lists what changed last first, and says it in words', () => {
  const known = aTool({ tool: 'known' })
  const early = aTool({ tool: 'early', title: 'Early', changed: change('2026-11-30T08:00:00.000Z') })
  const late = aTool({ tool: 'late', changed: change('2026-11-30T09:00:00.000Z') })
  const changed = changedOf([known, early, late])
  expect(changed.map(({ tool }) => tool.name)).toEqual(['mcp__demo__late', 'mcp__demo__early'])
  expect(changedWords(changed)).toBe('2 tools are not what you know them as.')
  expect(changedWords(changed.slice(0, 1))).toBe('“late” is not the tool that you know.')
  expect(changedWords(changed.slice(1))).toBe('“Early” is not the tool that you know.')
  expect(changedWords(changedOf([known]))).toBe('')
})

it('says which changes were not accepted, and why', () => {
  const no = (tool: string) => ({ tool: aTool({ tool }), error: new Error(`${tool} changed again`) })
  expect(acceptedWords(3, [])).toBe('3 changes were accepted.')
  expect(acceptedWords(3, [no('a')])).toBe('2 of 3 changes were accepted. Not a: a changed again')
  expect(acceptedWords(3, [no('a'), no('b')])).toContain('1 of 3 changes were accepted. Not a (and 1 more)')
})

it('says when, behind a verb', () => {
  const at = '2026-11-30T10:00:00.000Z'
  expect(recently(at, Date.parse(at) + 1000)).toBe('just now')
  expect(recently(at, Date.parse(at) + 120_000)).toBe('2 min ago')
})
