import { describe, expect, it } from 'vitest'
import { browserName, expiry, passwordProblem, secretNameProblem } from './words'

describe('browserName', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
      'Firefox on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0 Safari/537.36 Edg/148.0',
      'Edge on macOS',
    ],
    ['curl/8.1', 'curl/8.1'],
    ['', 'Unknown browser'],
  ])('%s', (userAgent, want) => {
    expect(browserName(userAgent)).toBe(want)
  })
})

it('says until when something holds', () => {
  const now = Date.parse('2026-11-30T00:00:00Z')
  expect(expiry(null, now)).toBe('Never expires')
  expect(expiry('2027-02-28T12:00:00Z', now)).toMatch(/^Expires .*2027/)
  expect(expiry('2026-10-01T12:00:00Z', now)).toMatch(/^Expired .*2026/)
})

it.each([
  ['GITHUB_TOKEN', ''],
  ['_x1', ''],
  ['', 'name'],
  ['1ST', 'no digit first'],
  ['MY-KEY', 'underscores'],
  ['A'.repeat(129), '128'],
  ['kontor_key', 'own'],
])('tells whether %j can name a secret', (name, words) => {
  expect(secretNameProblem(name)).toContain(words)
  if (words === '') expect(secretNameProblem(name)).toBe('')
})

it('asks for a password of some length', () => {
  expect(passwordProblem('1234567')).toContain('8')
  expect(passwordProblem('12345678')).toBe('')
  expect(passwordProblem('x'.repeat(1025))).toContain('1,024')
})
