import { describe, expect, it } from 'vitest'
import { fresher, grown, type Draft } from './draft'
import { aDelta, anAnswer } from './fixture'

const said = (draft: Draft | null) => draft?.parts.map(({ text }) => text)

describe('grown', () => {
  it('puts pieces together', () => {
    let draft = grown(null, aDelta(0, 'Hel'))
    draft = grown(draft, aDelta(3, 'lo'))
    draft = grown(
      draft,
      aDelta(0, '{"a"', { part: 1, kind: 'tool_use', use_id: 'u1', name: 'mcp__demo__echo' }),
    )
    draft = grown(draft, aDelta(4, ':1}', { part: 1, kind: 'tool_use' }))
    expect(said(draft)).toEqual(['Hello', '{"a":1}'])
    expect(draft?.parts[1]).toMatchObject({ kind: 'tool_use', use_id: 'u1', name: 'mcp__demo__echo' })
  })

  it('takes a piece once, whole or in part', () => {
    const draft = grown(grown(null, aDelta(0, 'Hello ')), aDelta(6, 'there'))
    expect(grown(draft, aDelta(6, 'there'))).toBe(draft)
    expect(grown(draft, aDelta(0, 'Hello '))).toBe(draft)
    expect(said(grown(draft, aDelta(8, 'ere you')))).toEqual(['Hello there you'])
  })

  it('counts bytes, not characters', () => {
    const draft = grown(grown(null, aDelta(0, 'Größe 👍')), aDelta(12, ' ja'))
    expect(said(draft)).toEqual(['Größe 👍 ja'])
    expect(said(grown(draft, aDelta(8, '👍 ja, 是')))).toEqual(['Größe 👍 ja, 是'])
  })

  it('says when something is missing', () => {
    const draft = grown(null, aDelta(0, 'Hello'))
    expect(grown(draft, aDelta(7, 'there'))).toBeNull()
    expect(grown(draft, aDelta(0, 'x', { part: 2 }))).toBeNull()
    expect(grown(draft, aDelta(3, 'x', { part: 1 }))).toBeNull()
    expect(grown(null, aDelta(3, 'x'))).toBeNull()
  })

  it('begins a part that has no text yet, and another message', () => {
    const draft = grown(null, aDelta(0, '', { kind: 'tool_use', name: 'notify' }))
    expect(draft?.parts).toMatchObject([{ kind: 'tool_use', name: 'notify', text: '' }])
    expect(said(grown(draft, aDelta(0, 'anew', { message_id: 'm10' })))).toEqual(['anew'])
  })
})

describe('fresher', () => {
  const read = anAnswer('m9', [
    { kind: 'reasoning', text: 'Hm, well' },
    { kind: 'text', text: 'Hel' },
  ])
  it('takes what was read when nothing is known', () => {
    expect(said(fresher(null, read))).toEqual(['Hm, well', 'Hel'])
    expect(said(fresher({ id: 'm8', parts: [] }, read))).toEqual(['Hm, well', 'Hel'])
  })

  it('keeps of each part the longer one: news may have come while it was read', () => {
    let known = grown(null, aDelta(0, 'Hm', { kind: 'reasoning' }))
    known = grown(known, aDelta(0, 'Hello', { part: 1 }))
    known = grown(known, aDelta(0, '{', { part: 2, kind: 'tool_use' }))
    const now = fresher(known, read)
    expect(said(now)).toEqual(['Hm, well', 'Hello', '{'])
    expect(said(grown(now, aDelta(5, '!', { part: 1 })))).toEqual(['Hm, well', 'Hello!', '{'])
  })
})
