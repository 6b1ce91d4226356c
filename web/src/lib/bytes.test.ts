import { expect, it } from 'vitest'
import { byteLength, formatBytes } from './bytes'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [4200, '4.2 KB'],
  [412_000, '412 KB'],
  [999_600, '1 MB'],
  [16_777_216, '17 MB'],
  [2_500_000_000, '2.5 GB'],
])('formatBytes(%d) is %s', (bytes, want) => {
  expect(formatBytes(bytes)).toBe(want)
})

it('byteLength counts UTF-8', () => {
  expect(byteLength('ü🔑')).toBe(6)
})
