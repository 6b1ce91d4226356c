import { afterEach, describe, expect, it } from 'vitest'
import { largest, Writing } from './writing.svelte'

afterEach(() => sessionStorage.clear())

const file = (size: number, name = 'a.pdf') => {
  const made = new File(['x'], name, { type: 'application/pdf' })
  return Object.defineProperty(made, 'size', { value: size })
}
const kept = { file: 'f1.pdf', url: '/api/mcp-media/f1.pdf', mime_type: 'application/pdf', size: 1 }
const why = (error: unknown) => (error as Error).message

describe('what is being written', () => {
  it('outlives a reload, each chat its own', () => {
    const writing = new Writing('s1')
    writing.text = 'half typ'
    writing.add('About', { kind: 'resource', server: 'demo', uri: 'demo://about' })
    const again = new Writing('s1')
    expect([again.text, again.attached.map(({ label }) => label)]).toEqual(['half typ', ['About']])
    expect(new Writing('s2').text).toBe('')
    again.add('More', { kind: 'resource', server: 'demo', uri: 'demo://more' })
    expect(new Set(again.attached.map(({ key }) => key)).size).toBe(2)
    again.take()
    expect(sessionStorage.length).toBe(0)
  })

  it('comes back when it could not be sent, before what was written since', () => {
    const writing = new Writing('s1')
    writing.text = 'first'
    writing.add('About', { kind: 'resource', server: 'demo', uri: 'demo://about' })
    const { text, attached } = writing
    expect(writing.take()).toEqual({
      text: 'first',
      attachments: [{ kind: 'resource', server: 'demo', uri: 'demo://about' }],
    })
    writing.text = 'second'
    writing.putBack(text, attached)
    expect([writing.text, writing.attached.length]).toEqual(['first\nsecond', 1])
  })
})

describe('a file', () => {
  it('that went with the page, or that is no longer kept, says so and holds the message back', async () => {
    const before = new Writing('s1')
    await before.upload(file(1, 'kept.pdf'), () => Promise.resolve(kept), why)
    await before.upload(file(1, 'gone.pdf'), () => Promise.resolve({ ...kept, file: 'f2.pdf' }), why)
    void before.upload(file(1, 'slow.pdf'), () => new Promise(() => undefined), why)
    const again = new Writing('s1')
    await again.check(() => Promise.reject(new Error('offline')))
    expect(again.attached.filter(({ attachment }) => attachment)).toHaveLength(2)
    await again.check((name) => Promise.resolve(name === 'f1.pdf'))
    expect(again.attached.map(({ label, problem }) => [label, problem])).toEqual([
      ['kept.pdf', undefined],
      ['gone.pdf', 'Kontor no longer has it. Attach it again.'],
      ['slow.pdf', 'The page was left before it was kept. Attach it again.'],
    ])
    expect(again.ready).toBe(false)
    expect(again.take().attachments).toHaveLength(1)
  })

  it('is waited for', async () => {
    const writing = new Writing('s1')
    writing.text = 'See this'
    const done = writing.upload(file(1), () => Promise.resolve(kept), why)
    expect(writing.ready).toBe(false)
    await done
    expect(writing.ready).toBe(true)
    expect(writing.take().attachments).toEqual([{ kind: 'media', file: 'f1.pdf', name: 'a.pdf' }])
  })

  it('that is too large, or is refused, says so and holds the message back', async () => {
    const writing = new Writing('s1')
    await writing.upload(file(largest + 1), () => Promise.resolve(kept), why)
    await writing.upload(file(1), () => Promise.reject(new Error('The disk is full.')), why)
    expect(writing.attached.map(({ problem }) => problem)).toEqual([
      'It is larger than 16 MiB.',
      'The disk is full.',
    ])
    expect(writing.ready).toBe(false)
    for (const { key } of writing.attached) writing.remove(key)
    writing.text = 'without'
    expect(writing.ready).toBe(true)
  })
})
