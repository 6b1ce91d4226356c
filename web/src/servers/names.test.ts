import { describe, expect, it } from 'vitest'
import { nameProblem, suggestName } from './names'

describe('nameProblem', () => {
  it.each(['github', 'a', 'GitHub.com-2', 'a_b', 'x'.repeat(64)])('accepts %j', (name) => {
    expect(nameProblem(name)).toBe('')
  })

  it.each([
    ['', 'Give it a name'],
    ['two words', 'letters, digits'],
    ['ü', 'letters, digits'],
    ['x'.repeat(65), '64 characters'],
    ['a__b', 'Two underscores'],
    ['_a', 'first or last'],
    ['a_', 'first or last'],
    ['config', 'reserved'],
    ['..', 'reserved'],
    ['demo', 'already'],
  ])('refuses %j in words', (name, words) => {
    expect(nameProblem(name, ['demo'])).toContain(words)
  })
})

describe('suggestName', () => {
  const command = (line: string) => {
    const [program = '', ...args] = line.split(' ')
    return suggestName({ transport: 'stdio', command: program, args, url: '' })
  }
  it.each([
    ['npx -y @modelcontextprotocol/server-github@1.2.3', 'github'],
    ['npx obsidian-mcp --vault x', 'obsidian'],
    ['npx @playwright/mcp@0.0.61', 'playwright'],
    ['uvx paperless-mcp==1.2 http://nas:8000', 'paperless'],
    ['uvx --python 3.13 mcp-server-fetch', 'fetch'],
    ['npm exec -- server-memory', 'memory'],
    ['docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:latest', 'github'],
    ['node billing-mcp/server.js --read', 'billing'],
    ['node ./weather/dist/index.js', 'weather'],
    ['python3 -m mcp_weather', 'mcp_weather'],
    ['python tools/notes.py', 'notes'],
    ['/usr/local/bin/restic-mcp --repo x', 'restic'],
    ['C:\\tools\\excel-mcp-server.exe stdio', 'excel'],
    ['kontor server ssh', 'ssh'],
    ['npx', 'npx'],
    ['', ''],
  ])('%j', (line, want) => {
    expect(command(line)).toBe(want)
  })

  it.each([
    ['https://mcp.sentry.dev/mcp', 'sentry'],
    ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
    ['https://grafana.lan/mcp', 'grafana'],
    ['http://127.0.0.1:3001/mcp', '127.0.0.1-3001'],
    ['http://localhost:3001/mcp', 'localhost-3001'],
    ['http://[::1]:3001/mcp', '1-3001'],
    ['https://mcp.dev/x', 'mcp'],
    ['not an address', ''],
  ])('%j', (url, want) => {
    expect(suggestName({ transport: 'http', command: '', args: [], url })).toBe(want)
  })

  it('numbers a name that is taken', () => {
    const reach = { transport: 'http' as const, command: '', args: [], url: 'https://grafana.lan/mcp' }
    expect(suggestName(reach, ['grafana', 'grafana-2'])).toBe('grafana-3')
  })
})
