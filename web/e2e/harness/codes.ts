import { readFile } from 'node:fs/promises'

/** Codes that no configuration typed into a browser brings about, and why. */
export const unreachableCodes: Record<string, string> = {
  secret_unreadable: 'Kontor must be started with another key than the one that sealed the secret',
  dns_failed: 'the name service of the machine must be broken; host_not_found goes the same way',
  unreachable: 'it takes the routes of the machine: no address has no way from everywhere',
  server_unavailable: 'it stands for what no other code is for: there is no way to it on purpose',
  not_reached: 'it is every stage behind the one that failed',
}

/** Every failure that a person can look up, and every one that the doctor has. */
export async function knownCodes(): Promise<string[]> {
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
  // What stands below "Warnings" is no failure.
  const [failures = ''] = (await read('docs/guide/errors.md')).split('\n## Warnings')
  const guide = [...failures.matchAll(/^\| `(\w+)` \|/gm)]
  const source = [...(await read('internal/servers/codes.go')).matchAll(/model\.Code = "(\w+)"/g)]
  return [...new Set([...guide, ...source].map(([, code = '']) => code))].sort()
}
