import { expect, it } from 'vitest'
import type { Stage } from '../lib/wire'
import { courseOf, evidenceName, evidenceOf, wantsSignIn } from './trial'

const done = (stage: Stage['stage'], ms = 1): Stage => ({ stage, ok: true, ms })
const failed: Stage = { stage: 'spawn', ok: false, ms: 1900, code: 'exited', message: 'ended with code 1' }
const behind = (stage: Stage['stage']): Stage => ({ stage, ok: false, ms: 0, code: 'not_reached' })

it('tells what was reached, what failed, and what was not come to', () => {
  const course = courseOf([done('parse'), done('variables'), failed, behind('era'), behind('lists')])
  expect(course.reached).toHaveLength(3)
  expect(course.failed).toBe(failed)
  expect(course.rest).toEqual(['Era', 'List'])
  expect(course.summary).toBe('stopped at step 3 of 5')
})

it('sums up what went well', () => {
  expect(courseOf([done('parse', 1), done('lists', 1)])).toMatchObject({
    failed: undefined,
    rest: [],
    summary: 'all 2 steps, 2 ms',
  })
})

it('knows when only a sign-in is missing', () => {
  const asks: Stage = { stage: 'authorization', ok: false, ms: 1, code: 'needs_sign_in' }
  expect(wantsSignIn({ ok: false, stages: [done('tcp'), asks, behind('lists')] })).toBe(true)
  expect(wantsSignIn({ ok: false, stages: [failed] })).toBe(false)
  expect(wantsSignIn({ ok: true, stages: [done('parse')] })).toBe(false)
})

it.each([
  [{ ...failed, evidence: 'bye' }, 'What it wrote last'],
  [{ ...failed, evidence: 'PATH: /bin' }, 'Where programs are looked for'],
  [{ ...failed, stage: 'era', evidence: 'HTTP 200 OK, text/html' }, 'What the server answered'],
  [{ ...failed, stage: 'tls', evidence: 'x' }, 'What was seen'],
] as const)('names its evidence', (stage, name) => {
  expect(evidenceName(stage)).toBe(name)
})

it.each([
  ['command "x" not found in PATH "/bin:/usr/bin"', 'PATH: /bin:/usr/bin', ''],
  ['ended with code 1', 'bye', 'bye'],
  ['ended with code 1', undefined, ''],
])('shows no evidence twice: %s, %s', (message, evidence, want) => {
  expect(evidenceOf({ ...failed, message, ...(evidence ? { evidence } : {}) })).toBe(want)
})
