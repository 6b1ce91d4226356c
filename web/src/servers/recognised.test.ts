import { describe, expect, it } from 'vitest'
import type { Import, ServerConfig } from '../lib/wire'
import {
  choicesOf,
  configsOf,
  freeName,
  hideSecrets,
  recognisedWords,
  secretsOf,
  warningsFor,
} from './recognised'

const paper: ServerConfig = {
  name: 'paperless',
  transport: 'stdio',
  command: 'uvx',
  args: ['paperless-mcp'],
  env: { TOKEN: 'f3b1f3b1f3b1', MODE: { value: 'read', plain: true }, KEY: '${KEY}' },
}
const remote: ServerConfig = {
  transport: 'http',
  url: 'https://mcp.notion.com/mcp',
  bearer_token: 'abcd1234',
}
const found: Import = {
  format: 'claude_desktop',
  servers: [paper, remote],
  warnings: [
    { code: 'placeholder', message: 'fill in TOKEN', server: 'paperless' },
    { code: 'reference', message: 'store API_KEY' },
  ],
  skipped: [],
}

it.each([
  [{ ...found, servers: [paper] }, 'Recognised: one server, from a Claude Desktop snippet'],
  [{ ...found, format: 'address' }, 'Recognised: two servers, from an address'],
  [
    { ...found, format: 'new', servers: Array<ServerConfig>(12).fill(paper) },
    'Recognised: 12 servers, from a snippet',
  ],
])('says what was recognised', (what, words) => {
  expect(recognisedWords(what)).toBe(words)
})

describe('secrets', () => {
  it('are the values that are neither references nor marked plain', () => {
    expect(secretsOf(paper)).toEqual(['f3b1f3b1f3b1'])
    expect(secretsOf(remote)).toEqual(['abcd1234'])
  })

  it('are hidden in the text, long ones but for their beginning', () => {
    expect(hideSecrets('"f3b1f3b1f3b1", "abcd1234"', ['abcd1234', 'f3b1f3b1f3b1'])).toBe(
      '"f3b1••••••••", "••••••••"',
    )
  })
})

describe('choices', () => {
  it('have free names, and say what becomes of them', () => {
    const choices = choicesOf(found, ['paperless'])
    expect(choices.map(({ name }) => name)).toEqual(['paperless-2', 'notion'])
    expect(choices[0]?.notes).toEqual([
      'There is a server named paperless already: this one becomes paperless-2.',
      '1 value will be kept as a secret.',
      'fill in TOKEN',
    ])
    expect(choices[1]?.address).toBe('https://mcp.notion.com/mcp')
  })

  it('are saved under those names, turned on or off as was said', () => {
    const configs = configsOf(choicesOf(found, []), new Set(['notion']), false)
    expect(configs).toEqual([{ ...remote, name: 'notion', enabled: false }])
  })
})

it('tells general warnings from those on one server', () => {
  expect(warningsFor(found, null)).toEqual(['store API_KEY'])
  expect(warningsFor(found, 'paperless')).toEqual(['fill in TOKEN'])
})

it.each([
  [{ name: 'a' }, ['a', 'a-2'], 'a-3'],
  [{ command: 'npx', args: ['-y', '@scope/server-github'] }, [], 'github'],
  [{ command: '' }, [], 'server'],
])('finds a free name for %j', (config, taken, name) => {
  expect(freeName(config, taken)).toBe(name)
})
