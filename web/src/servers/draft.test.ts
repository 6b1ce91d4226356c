import { describe, expect, it } from 'vitest'
import {
  configOf,
  draftOf,
  emptyDraft,
  fieldOfMessage,
  fillCommandLine,
  isToolOn,
  nameOf,
  problemsOf,
  withTool,
  type ServerDraft,
} from './draft'
import { serverOf } from './fixture'
import { emptyValue } from './values'

const stdio = serverOf({
  name: 'billing',
  friendly_name: 'Billing database',
  command: 'node',
  args: ['server.js', 'two words', ''],
  cwd: '~/billing',
  env: { DATABASE_URL: { set: true }, LOG: { value: 'debug', plain: true }, TOKEN: '${BILLING_TOKEN}' },
  call_timeout_ms: 90_000,
  disabled_tools: ['drop'],
  delivery: 'inject_summary',
  trusted: true,
})
const http = serverOf({
  name: 'github',
  transport: 'http',
  url: 'https://api.example.com/mcp',
  headers: { 'X-Key': { set: true } },
  bearer_token: { set: true },
  oauth: { client_id: 'kontor', client_secret: { set: true }, scopes: ['read', 'write'], dpop: true },
  sse_idle_timeout_ms: 90_000,
  reconnect: { initial_ms: 500, max_ms: 30_000, max_attempts: 5 },
})

describe('from the wire and back', () => {
  it.each([stdio, http])('keeps everything of an untouched server: $name', (server) => {
    const config = configOf(draftOf(server), server.name, server)
    const reach =
      server.transport === 'http'
        ? ['command', 'args', 'cwd', 'env']
        : ['url', 'headers', 'bearer_token', 'oauth']
    const readOnly = ['status', 'warnings', 'created_at', 'updated_at']
    const kept = Object.fromEntries(
      Object.entries(server).filter(([name]) => ![...reach, ...readOnly].includes(name)),
    )
    expect(config).toEqual({
      ...kept,
      start_timeout_ms: 0,
      call_timeout_ms: server === stdio ? 90_000 : 0,
      call_max_ms: 0,
      elicitation_timeout_ms: 0,
      max_message_bytes: 0,
      sse_idle_timeout_ms: server === http ? 90_000 : 0,
      reconnect: { initial_ms: 0, max_ms: 0, max_attempts: server === http ? 5 : 0 },
    })
  })

  it('clears what was removed, keeps what is stored, sets what was typed', () => {
    const draft = draftOf(stdio)
    draft.env = draft.env.filter(({ name }) => name !== 'TOKEN')
    draft.env.push({ ...emptyValue(9, 'NEW'), text: 's3cret' })
    expect(configOf(draft, 'billing', stdio).env).toEqual({
      DATABASE_URL: { set: true },
      LOG: { value: 'debug', plain: true },
      TOKEN: null,
      NEW: 's3cret',
    })
  })

  it('sends nothing of the other way to reach it', () => {
    const draft: ServerDraft = { ...draftOf(stdio), transport: 'http', url: ' https://x.example/mcp ' }
    const config = configOf(draft, 'billing', stdio)
    expect(config).toMatchObject({
      transport: 'http',
      url: 'https://x.example/mcp',
      headers: {},
      bearer_token: null,
    })
    expect(config).not.toHaveProperty('command')
    expect(config).not.toHaveProperty('env')
  })

  it.each([
    ['keeps', 'keep', '', { set: true }],
    ['replaces', 'set', 'abc', 'abc'],
    ['clears', 'clear', '', null],
    ['clears, when the new one is empty,', 'set', '', null],
  ] as const)('%s the bearer token', (_, intent, text, want) => {
    const draft = draftOf(http)
    draft.bearer = { ...draft.bearer, intent, text }
    expect(configOf(draft, 'github', http).bearer_token).toEqual(want)
  })
})

describe('the name', () => {
  it('is suggested until it is typed', () => {
    const draft = { ...emptyDraft(), command: 'npx', args: '-y\nobsidian-mcp' }
    expect(nameOf(draft)).toBe('obsidian')
    expect(nameOf(draft, ['obsidian'])).toBe('obsidian-2')
    expect(nameOf({ ...draft, name: '' })).toBe('')
  })
})

describe('problemsOf', () => {
  const good = { ...emptyDraft(), command: 'npx', args: 'x-mcp' }

  it('finds none in a complete draft', () => {
    expect(problemsOf(good)).toEqual({})
    expect(problemsOf(draftOf(http))).toEqual({})
  })

  it('names every field that is wrong', () => {
    const draft: ServerDraft = {
      ...emptyDraft(),
      name: 'a b',
      env: [{ ...emptyValue(4), text: 'x' }],
      limits: { ...good.limits, call_max_ms: 'soon' },
    }
    expect(Object.keys(problemsOf(draft)).sort()).toEqual(['call_max_ms', 'command', 'env.4', 'name'])
  })

  it('finds nothing wrong with a limit that the server has no use for', () => {
    const draft = { ...good, limits: { ...good.limits, sse_idle_timeout_ms: 'soon' } }
    expect(problemsOf(draft)).toEqual({})
    expect(problemsOf({ ...draft, transport: 'http', url: 'https://x.example' })).toHaveProperty(
      'sse_idle_timeout_ms',
    )
  })

  it.each([
    ['', 'Enter'],
    ['example.com', 'Start'],
    ['ftp://example.com', 'Start'],
    ['https://', 'not an address'],
    ['https://me:pw@example.com', 'user name'],
    ['https://example.com/#x', 'after #'],
  ])('refuses the address %j', (url, words) => {
    expect(problemsOf({ ...emptyDraft(), name: 'x', transport: 'http', url }).url).toContain(words)
  })

  it.each(['http://localhost:3000/mcp', 'https://${HOST}/mcp', 'https://x/mcp?key=${KEY}', '${BASE}/mcp'])(
    'accepts the address %j',
    (url) => {
      expect(problemsOf({ ...emptyDraft(), name: 'x', transport: 'http', url })).toEqual({})
    },
  )
})

describe('switching a tool', () => {
  it('keeps everything else, secrets too', () => {
    const { disabled_tools, ...rest } = withTool(stdio, 'query', false)
    expect(disabled_tools).toEqual(['drop', 'query'])
    expect(rest.env).toEqual(stdio.env)
    expect(rest.delivery).toBe('inject_summary')
  })

  it('never empties a list of enabled tools, which would mean all', () => {
    const only = serverOf({ enabled_tools: ['a'] })
    expect(withTool(only, 'a', false)).toMatchObject({ enabled_tools: ['a'], disabled_tools: ['a'] })
    expect(withTool(only, 'b', true)).toMatchObject({ enabled_tools: ['a', 'b'], disabled_tools: [] })
  })

  it.each([
    [[], [], true],
    [[], ['a'], false],
    [['a'], [], true],
    [['b'], [], false],
    [['a'], ['a'], false],
  ] as [string[], string[], boolean][])(
    'enabled %j, disabled %j: %j',
    (enabled_tools, disabled_tools, want) => {
      expect(isToolOn(serverOf({ enabled_tools, disabled_tools }), 'a')).toBe(want)
    },
  )
})

it.each([
  ['name "x" is taken', 'name'],
  ['url has no host', 'url'],
  ['env name "" can’t be one', 'env'],
  ['body.call_max_ms: expected a number', 'call_max_ms'],
  ['max_message_bytes must be between 1 and 2', 'max_message_bytes'],
  ['reconnect: max_ms can’t be less than initial_ms', 'reconnect_max_ms'],
  ['oauth: redirect_uri: it must start with https://', 'oauth.redirect_uri'],
  ['body.oauth.client_id', 'oauth.client_id'],
  ['oauth: grant "x" is unknown', null],
  ['something else', null],
])('places the server’s words: %j', (message, want) => {
  expect(fieldOfMessage(message)).toBe(want)
})

describe('fillCommandLine', () => {
  it('fills command, arguments and environment', () => {
    const draft = emptyDraft()
    expect(fillCommandLine(draft, `KEY=abc npx -y "@x/server one"`)).toBe(true)
    expect(draft).toMatchObject({ command: 'npx', args: '-y\n@x/server one' })
    expect(draft.env).toMatchObject([{ name: 'KEY', text: 'abc', plain: false }])
  })

  it('leaves a program alone', () => {
    const draft = emptyDraft()
    expect(fillCommandLine(draft, '/usr/bin/restic-mcp')).toBe(false)
    expect(fillCommandLine(draft, `unclosed "quote`)).toBe(false)
    expect(draft).toEqual(emptyDraft())
  })
})
