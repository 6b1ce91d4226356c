import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { parseJson, type JsonObject } from '../lib/json'
import { runCommand } from './command'

it('gives curl exactly the arguments, whatever they hold', () => {
  const args = parseJson(
    `{"sql":"select 'a' || \\"b\\" $HOME \`id\` \\\\","id":9007199254740993}`,
  ) as JsonObject
  const command = runCommand('http://127.0.0.1:8787', 'mcp__pg__query', args)
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  const words = execFileSync('sh', ['-c', script], {
    env: { KONTOR_API_TOKEN: 'kt_x', HOME: '/home' },
    encoding: 'utf8',
  })
  expect(words.split('\0')).toEqual([
    '-sS',
    'http://127.0.0.1:8787/api/tools/call',
    '-H',
    'Authorization: Bearer kt_x',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    `{"name":"mcp__pg__query","arguments":{"sql":"select 'a' || \\"b\\" $HOME \`id\` \\\\","id":9007199254740993},"wait_ms":60000}`,
    '',
  ])
})
