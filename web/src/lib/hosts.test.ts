import { describe, expect, it } from 'vitest'
import { hostOf, isLoopback, readAddress } from './hosts'

const titles = (url: string, known?: string[]) => readAddress(url, known).warnings.map((w) => w.title)

describe('readAddress', () => {
  it('takes the host out of the address as it was sent', () => {
    expect(readAddress('https://pay.example.org:8443/a?b=c#d')).toMatchObject({
      before: 'https://',
      host: 'pay.example.org:8443',
      after: '/a?b=c#d',
      warnings: [],
      openable: true,
    })
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'not an address', ''])('does not open %j', (url) => {
    const address = readAddress(url)
    expect(address.openable).toBe(false)
    expect(address.warnings[0]?.tone).toBe('bad')
  })

  it('knows a host that only looks like the server’s, and marks where', () => {
    const address = readAddress('https://pay.northvvind.example/confirm', ['mcp.northwind.example'])
    expect(address.warnings[0]?.title).toBe('This host only looks like northwind.example.')
    const [start, end] = address.mark ?? [0, 0]
    expect(address.host.slice(start, end)).toBe('vv')
  })

  it.each([
    ['https://g00gle.example', 'google.example'],
    ['https://paypaI.example', 'paypal.example'],
    ['https://exarnple.example', 'example.example'],
    ['https://my-bank.example', 'mybank.example'],
  ])('%s looks like %s', (url, known) => {
    expect(titles(url, [known])[0]).toMatch(/only looks like/)
  })

  it.each([
    ['https://pay.northwind.example', 'mcp.northwind.example'],
    ['https://other.example', 'mcp.northwind.example'],
    ['https://other.example', '127.0.0.1'],
    ['https://other.example', ''],
  ])('%s is no look-alike of %s', (url, known) => {
    expect(titles(url, [known])).toEqual([])
  })

  it('warns of letters of other scripts, whatever they look like', () => {
    // The first letter is Cyrillic.
    const address = readAddress('https://\u0430pple.example/x')
    expect(address.host).toBe('xn--pple-43d.example')
    expect(address.warnings[0]).toMatchObject({
      tone: 'bad',
      title: 'This host is written with special letters.',
    })
  })

  it('warns of a user name that passes for a host', () => {
    const address = readAddress('https://bank.example@evil.example/')
    expect(address.host).toBe('evil.example')
    expect(address.warnings[0]?.detail).toMatch(/evil\.example/)
  })

  it.each(['\u202e', '\u2066', '\u200b', '\ufeff', '\u00ad', '\u3164', '\u0007'])(
    'writes out %j and warns of it',
    (character) => {
      const address = readAddress(`https://a.example/x${character}y`)
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      expect(address.after).toBe(`/x‹U+${code}›y`)
      expect(address.warnings[0]).toMatchObject({
        tone: 'bad',
        title: 'The address holds characters that can’t be seen.',
      })
    },
  )

  it('shows letters of any language in a path as they are', () => {
    expect(readAddress('https://a.example/größe/日本/שלום')).toMatchObject({
      after: '/größe/日本/שלום',
      warnings: [],
    })
  })

  it('warns of plain http and bare addresses, but not on this machine', () => {
    expect(titles('http://example.org/')).toEqual(['The connection is not encrypted.'])
    expect(titles('https://203.0.113.7/')).toEqual(['This is a bare network address.'])
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]/']) {
      expect(titles(url)).toEqual([])
    }
  })
})

it('isLoopback is not fooled by names that start like it', () => {
  expect(isLoopback('127.0.0.1.evil.example')).toBe(false)
  expect(isLoopback('localhost.evil.example')).toBe(false)
})

it('hostOf', () => {
  expect(hostOf('https://a.example:1/x')).toBe('a.example')
  expect(hostOf('npx thing')).toBe('')
})
