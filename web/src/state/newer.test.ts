import { describe, expect, it } from 'vitest'
import { newer } from './newer'
import { aCall } from './fake-call'

describe('newer', () => {
  it('takes what was told', () => {
    const told = aCall({ state: 'done', result: 'x' })
    expect(newer(aCall({ state: 'running' }), told)).toBe(told)
  })

  it('keeps a settled call settled when older news comes late', () => {
    const known = aCall({ state: 'done' })
    expect(newer(known, aCall({ state: 'running' }))).toBe(known)
  })

  it('keeps large values that the news left out', () => {
    const whole = aCall({ state: 'done', result: 'much' })
    expect(newer(whole, aCall({ state: 'done', cut: true }))).toBe(whole)
  })

  it('keeps the arguments of a running call whose news is cut', () => {
    const known = aCall({ state: 'running', arguments: { a: 1 } })
    const next = newer(known, aCall({ state: 'done', arguments: null, cut: true }))
    expect(next).toMatchObject({ state: 'done', arguments: { a: 1 }, cut: true })
  })
})
