import { describe, expect, it } from 'vitest'
import type { Content } from '../lib/wire'
import { hasChoice, isNothing, mediaName, partsOf, shortError, viewOf } from './parts'

const text = (value: string): Content => ({ kind: 'text', text: value })
const media = (mime_type: string) => ({ file: 'f', url: '/api/mcp-media/f', mime_type, size: 5 })

describe('partsOf', () => {
  it('offers a choice when text and data both came, data first', () => {
    const parts = partsOf({ structured: { a: 1 }, content: [text('{"a": 1}')] })
    expect([hasChoice(parts), parts.first]).toEqual([true, 'data'])
  })

  it('prefers the text that was only wrapped', () => {
    expect(partsOf({ structured: { result: 'hi' }, content: [text('hi')] }).first).toBe('text')
    expect(partsOf({ structured: { result: 'other' }, content: [text('hi')] }).first).toBe('data')
  })

  it('keeps media beside the data', () => {
    const image: Content = { kind: 'image', media: media('image/png') }
    const parts = partsOf({ structured: { a: 1 }, content: [image] })
    expect(parts.beside).toEqual([image])
    expect(hasChoice(parts)).toBe(false)
  })

  it('knows when nothing was returned', () => {
    expect(isNothing(partsOf({ structured: null, content: [] }))).toBe(true)
    expect(isNothing(partsOf({ structured: null, content: [text(' \n')] }))).toBe(true)
    expect(isNothing(partsOf({ structured: false, content: [] }))).toBe(false)
  })
})

describe('viewOf', () => {
  it.each<[string, Content, string]>([
    ['text', text('x'), 'text'],
    ['an image', { kind: 'image', media: media('image/png') }, 'image'],
    ['a picture inside of a resource', { kind: 'resource', media: media('image/webp; a=b') }, 'image'],
    ['a picture that browsers don’t draw', { kind: 'image', media: media('image/tiff') }, 'file'],
    ['sound', { kind: 'audio', media: media('audio/wav') }, 'audio'],
    ['a film', { kind: 'resource', media: media('video/mp4') }, 'video'],
    ['a PDF', { kind: 'resource', media: media('application/pdf') }, 'file'],
    ['embedded text', { kind: 'resource', text: '# Hi', uri: 'n://1' }, 'text'],
    ['a link', { kind: 'link', uri: 'r://q3' }, 'link'],
    ['a block that is odd', { kind: 'unknown', problem: 'the text block has no text', raw: {} }, 'unknown'],
    ['bytes that were not kept', { kind: 'image', problem: 'too large' }, 'problem'],
    ['a kind that came later', { kind: 'unknown', raw: { type: 'hologram' } }, 'unknown'],
  ])('%s', (_, block, want) => {
    expect(viewOf(block)).toBe(want)
  })
})

describe('shortError', () => {
  it.each([
    [[text('\x1b[31mnot found\x1b[0m at v4.1.6')], 'not found at v4.1.6'],
    [[text('a'), text('b')], 'a\nb'],
    [[text('x'.repeat(301))], ''],
    [[text('{"code":1}')], ''],
    [[], ''],
  ])('of %j', (content, want) => {
    expect(shortError(content)).toBe(want)
  })
})

describe('mediaName', () => {
  const stored = { ...media('image/png'), file: 'abc123.png' }
  it.each<[Content, string]>([
    [{ kind: 'image', media: stored }, 'image.png'],
    [{ kind: 'resource', media: stored }, 'file.png'],
    [{ kind: 'resource', media: stored, uri: 'f://reports/q3.pdf?x=1' }, 'q3.pdf'],
    [{ kind: 'resource', media: stored, uri: 'f://reports/q3.pdf' }, 'q3.pdf'],
    [{ kind: 'resource', media: stored, name: '../q3.pdf' }, 'q3.pdf'],
  ])('of %j', (block, want) => {
    expect(mediaName(block)).toBe(want)
  })
})
