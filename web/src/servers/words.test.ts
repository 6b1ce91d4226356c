import { describe, expect, it } from 'vitest'
import { authOf, serverOf } from './fixture'
import { addressOf, count, nextTry, sentence, troubleOf } from './words'

const now = Date.parse('2026-11-30T10:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()

it('shows how a server is reached', () => {
  expect(addressOf(serverOf({ command: 'npx', args: ['-y', 'two words'] }))).toBe(`npx -y 'two words'`)
  expect(addressOf(serverOf({ transport: 'http', url: 'https://x/mcp' }))).toBe('https://x/mcp')
})

it.each([
  ['nothing listens at 1.2.3.4:80', 'Nothing listens at 1.2.3.4:80.'],
  ['Check the address.', 'Check the address.'],
  ['', ''],
])('makes a sentence of %j', (words, want) => {
  expect(sentence(words)).toBe(want)
})

describe('troubleOf', () => {
  it('is silent about a server that works or is off', () => {
    const last_error = { code: 'exited', message: 'x' }
    expect(troubleOf(serverOf({ status: { last_error } }))).toBeNull()
    expect(troubleOf(serverOf({ enabled: false, status: { state: 'failed', last_error } }))).toBeNull()
  })

  it('gives the cause, then the fix', () => {
    const last_error = { code: 'connection_refused', message: 'nothing listens at :80', fix: 'Start it.' }
    expect(troubleOf(serverOf({ status: { state: 'failed', last_error } }))).toEqual({
      cause: 'Nothing listens at :80.',
      fix: 'Start it.',
      code: 'connection_refused',
    })
  })

  it('calls settings what the form calls them', () => {
    const last_error = { code: 'missing_variable', message: 'env TOKEN: ${X} has no value' }
    expect(troubleOf(serverOf({ status: { state: 'failed', last_error } }))).toMatchObject({
      cause: 'Variable TOKEN: ${X} has no value.',
      fix: '',
    })
  })

  it('says how to go on where a sign-in is needed, in words that fit what is set', () => {
    const status = {
      state: 'needs_sign_in',
      last_error: { code: 'needs_sign_in', message: 'x asks' },
    } as const
    expect(troubleOf(serverOf({ transport: 'http', status }))).toEqual({
      cause: 'X asks.',
      fix: 'Its tools can’t be used until you sign in.',
      code: 'needs_sign_in',
    })
    const own = serverOf({ transport: 'http', headers: { authorization: { set: true } }, status })
    expect(troubleOf(own)).toMatchObject({ code: 'token_refused' })
  })

  it('tells of a server that works, but wants more rights for a call', () => {
    const auth = authOf({ state: 'signed_in', step_up: ['a', 'b'], message: 'A call was refused.' })
    expect(troubleOf(serverOf({ transport: 'http', status: { auth } }))).toMatchObject({ code: 'step_up' })
  })

  it('never says failed alone', () => {
    expect(troubleOf(serverOf({ status: { state: 'failed' } }))?.cause).not.toBe('')
    expect(troubleOf(serverOf({ status: { state: 'needs_sign_in' } }))?.fix).not.toBe('')
  })
})

describe('nextTry', () => {
  const next = (status: Parameters<typeof serverOf>[0] & object) => nextTry(serverOf(status).status, now)

  it.each([
    [{ state: 'failed', attempts: 4, next_attempt_at: at(38) }, 'try 4', 'next in 38 s'],
    [{ state: 'failed', attempts: 4, next_attempt_at: at(-1) }, 'try 4', 'trying now'],
    [{ state: 'failed', attempts: 6, next_attempt_at: null }, 'after try 6', 'given up'],
    [{ state: 'connecting', attempts: 0, since: at(-4) }, 'first try', 'for 4 s'],
    [{ state: 'ready' }, '', ''],
  ] as const)('%j', (status, what, when) => {
    expect(next({ status })).toEqual({ what, when })
  })
})

it.each([
  [count(1, 'tool'), '1 tool'],
  [count(0, 'tool'), '0 tools'],
  [count(9, 'tool', 14), '9 of 14 tools'],
  [count(0, 'tool', 1), '0 of 1 tool'],
])('counts in words', (words, want) => {
  expect(words).toBe(want)
})
