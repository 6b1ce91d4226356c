import { expect, it } from 'vitest'
import { parseJson, type JsonObject } from '../lib/json'
import { runCommand } from './command'

it('leaves nothing of the arguments to the shell, and the token to the environment', () => {
  const args = parseJson(`{"sql":"select 'a' $HOME","id":9007199254740993}`) as JsonObject
  expect(runCommand('http://127.0.0.1:8787', 'mcp__pg__query', args).split(' \\\n  ')).toEqual([
    `curl -sS 'http://127.0.0.1:8787/api/tools/call'`,
    `-H "Authorization: Bearer $KONTOR_API_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw '{"name":"mcp__pg__query","arguments":{"sql":"select '\\''a'\\'' $HOME","id":9007199254740993},"wait_ms":60000}'`,
  ])
})
