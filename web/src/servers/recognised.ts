// What a pasted text or a file was recognised as, in words, and how its servers are taken.
import type { Import, ServerConfig } from '../lib/wire'
import { nameProblem, suggestName } from './names'
import { addressOf, count } from './words'

/** Where a text comes from; internal/servers/paste has the formats. */
const origins: Record<string, string> = {
  address: 'an address',
  command_line: 'a command line',
  link: 'an install link',
  claude_desktop: 'a Claude Desktop snippet',
  claude_code: 'Claude Code',
  gemini: 'a Gemini CLI snippet',
  vscode: 'a VS Code snippet',
  zed: 'a Zed snippet',
  codex: 'a Codex snippet',
  continue: 'a Continue snippet',
  opencode: 'an OpenCode snippet',
  goose: 'a Goose snippet',
  amp: 'an Amp snippet',
  albedo: 'an Albedo document',
  pi_loops: 'a pi-loops document',
  kontor: 'a list of Kontor’s own',
}

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** "Recognised: one server, from a VS Code snippet". */
export function recognisedWords({ format, servers }: Import): string {
  const n = servers.length
  const number = small[n] ?? String(n)
  const origin = origins[format] ?? 'a snippet'
  return `Recognised: ${number} server${n === 1 ? '' : 's'}, from ${origin}`
}

/** What to look at before this server is saved; null for what concerns none of them. */
export function warningsFor({ warnings }: Import, name: string | null): string[] {
  return warnings.filter(({ server = '' }) => server === (name ?? '')).map(({ message }) => message)
}

/** The values of a configuration that are kept as secrets. */
export function secretsOf({ env = {}, headers = {}, bearer_token: bearer }: ServerConfig): string[] {
  const reference = /^(?:(?:bearer|basic) )?\$\{\w+\}$/i
  return [...Object.values(env), ...Object.values(headers), bearer]
    .filter((value): value is string => typeof value === 'string')
    .filter((text) => text.length >= 4 && !reference.test(text))
}

/** The text with these secrets hidden but for what tells them apart. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  return longestFirst.reduce((shown, secret) => {
    const mask = (secret.length >= 12 ? secret.slice(0, 4) : '') + '••••••••'
    return shown.replaceAll(secret, mask)
  }, text)
}

/** One server that can be taken. */
export interface Choice {
  config: ServerConfig
  /** The name that it gets: its own, or a free one like it. */
  name: string
  title: string
  /** How it is reached, as one line. */
  address: string
  notes: string[]
}

export function choicesOf(found: Import, taken: readonly string[]): Choice[] {
  const names = [...taken]
  return found.servers.map((config) => {
    const own = config.name ?? ''
    const name = freeName(config, names)
    names.push(name)
    const renamed =
      own !== '' && own !== name ? [`There is a server named ${own} already: this one becomes ${name}.`] : []
    const secrets = secretsOf(config).length
    const kept =
      secrets > 0
        ? [`${count(secrets, 'value')} will be kept as ${secrets === 1 ? 'a secret' : 'secrets'}.`]
        : []
    return {
      config,
      name,
      title: config.friendly_name || name,
      address: hideSecrets(addressOf(reachOf(config)), secretsOf(config)),
      notes: [...renamed, ...kept, ...warningsFor(found, own)],
    }
  })
}

/** What is saved for those that were chosen. */
export function configsOf(
  choices: readonly Choice[],
  chosen: ReadonlySet<string>,
  enabled: boolean,
): ServerConfig[] {
  return choices
    .filter(({ name }) => chosen.has(name))
    .map(({ config, name }) => ({ ...config, name, enabled }))
}

function reachOf({ transport, command = '', args = [], url = '' }: ServerConfig) {
  return { transport: transport === 'http' ? ('http' as const) : ('stdio' as const), command, args, url }
}

/** The server's own name, or one like it that is free. */
export function freeName(config: ServerConfig, taken: readonly string[]): string {
  const own = config.name ?? ''
  if (own === '') return suggestName(reachOf(config), taken) || freeName({ ...config, name: 'server' }, taken)
  for (let n = 1; ; n++) {
    const name = n === 1 ? own : `${own.slice(0, 60)}-${n}`
    if (nameProblem(name, taken) === '') return name
    if (n > taken.length + 1) return own // its own name can't be one: the form says so
  }
}
