// A run as a line for the shell.
import { printJson, type JsonObject } from '../lib/json'

/** How long the command waits for the answer. */
const waitMs = 60_000

/** curl with the token from the environment, so that none gets into a history. */
export function runCommand(origin: string, name: string, args: JsonObject): string {
  const body = printJson({ name, arguments: args, wait_ms: waitMs })
  return [
    `curl -sS ${quote(`${origin}/api/tools/call`)}`,
    `-H "Authorization: Bearer $KONTOR_API_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ')
}

/** In single quotes nothing has a meaning to a POSIX shell but their end. */
function quote(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`
}
