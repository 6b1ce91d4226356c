// What the settings say in words: who is signed in, what a token may do, until when.
import { exact } from '../lib/time'
import type { Token } from '../lib/wire'

/** Browser and system of a User-Agent header (RFC 9110, section 10.1.5), as far as it tells. */
export function browserName(userAgent: string): string {
  const browser = first(userAgent, [
    ['Edge', /\bEdg(?:e|A|iOS)?\//],
    ['Opera', /\bOPR\//],
    ['Firefox', /\b(?:Firefox|FxiOS)\//],
    ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
    ['Safari', /\bSafari\//],
  ])
  const system = first(userAgent, [
    ['iPhone', /\biPhone\b/],
    ['iPad', /\biPad\b/],
    ['Android', /\bAndroid\b/],
    ['Windows', /\bWindows\b/],
    ['macOS', /\bMac OS X\b/],
    ['Linux', /\bLinux\b/],
  ])
  if (browser && system) return `${browser} on ${system}`
  return browser || system || userAgent.slice(0, 60) || 'Unknown browser'
}

function first(text: string, names: [string, RegExp][]): string {
  return names.find(([, pattern]) => pattern.test(text))?.[0] ?? ''
}

export const scopes: Record<Token['scope'], { label: string; help: string }> = {
  gateway: { label: 'Gateway', help: 'For MCP clients: may use the tools of your servers, nothing else.' },
  read: { label: 'Read', help: 'For dashboards: may read everything but secrets, and change nothing.' },
  full: { label: 'Full', help: 'For scripts of your own: may do whatever you can do here.' },
}

export const scopeNames = Object.keys(scopes) as Token['scope'][]

/** How long a new token lives; 0 is for ever. */
export const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '0', label: 'For ever' },
]

/** "Never expires", "Expires 3 Feb 2027", "Expired …". */
export function expiry(at: string | null, now: number): string {
  if (at === null) return 'Never expires'
  return `${Date.parse(at) > now ? 'Expires' : 'Expired'} ${day(at)}`
}

function day(at: string): string {
  const words = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
  return Number.isNaN(Date.parse(at)) ? exact(at) : words.format(new Date(at))
}

/** Why the text can't be the password, or "" (wire.SetPassword). */
export function passwordProblem(password: string): string {
  if (password.length < 8) return 'Use 8 characters or more.'
  return password.length > 1024 ? 'Use 1,024 characters at most.' : ''
}

/** Why the text can't name a secret, or "": it must fit into ${NAME}. */
export function secretNameProblem(name: string): string {
  if (name === '') return 'Give it a name.'
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'Use letters, digits and underscores, and no digit first.'
  if (name.length > 128) return 'Use 128 characters at most.'
  return /^KONTOR_/i.test(name) ? 'Names that begin with KONTOR_ are Kontor’s own.' : ''
}
