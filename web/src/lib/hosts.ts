// What is odd about an address that a server wants the person to open: a host that
// only looks like another, letters of several scripts, no encryption.
import { hasInvisible, writtenOut } from './invisible'
import { difference, skeleton } from './lookalike'

export interface Warning {
  /** bad: probably a trick; warn: the person should know. */
  tone: 'bad' | 'warn'
  title: string
  detail: string
}

export interface Address {
  /** The parts to show, the host to be emphasised; what can't be seen is written out. */
  before: string
  host: string
  after: string
  /** The part of the host that is spelled differently from the one it looks like. */
  mark: [start: number, end: number] | null
  warnings: Warning[]
  /** http or https: may be opened at all. */
  openable: boolean
}

/** Takes an address apart. `known` are hosts the person configured, such as the server's own. */
export function readAddress(url: string, known: string[] = []): Address {
  if (!URL.canParse(url)) return unreadable(url)
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    const scheme = parsed.protocol.slice(0, -1)
    return { ...unreadable(url), warnings: [notOpened(`It is a “${scheme}” address.`)] }
  }
  const at = url.toLowerCase().indexOf(parsed.host)
  const [before, after] =
    at >= 0 ? [url.slice(0, at), url.slice(at + parsed.host.length)] : [`${parsed.protocol}//`, rest(parsed)]
  const real = lookAlikeOf(parsed.hostname, known)
  return {
    before: writtenOut(before),
    host: parsed.host,
    after: writtenOut(after),
    mark: real ? marked(parsed.hostname, real) : null,
    warnings: [...unseen(url), ...warningsOf(parsed, known)],
    openable: true,
  }
}

function marked(host: string, real: string): [number, number] {
  const offset = host.length - domain(host).length
  const [start, end] = difference(domain(host), domain(real))
  return [offset + start, offset + end]
}

function rest(url: URL): string {
  return url.pathname + url.search + url.hash
}

function unreadable(url: string): Address {
  return {
    before: writtenOut(url),
    host: '',
    after: '',
    mark: null,
    warnings: [notOpened('It can’t be read as an address.')],
    openable: false,
  }
}

function notOpened(why: string): Warning {
  return {
    tone: 'bad',
    title: 'Kontor doesn’t open this address.',
    detail: `${why} Only http and https are opened.`,
  }
}

function unseen(url: string): Warning[] {
  if (!hasInvisible(url)) return []
  const title = 'The address holds characters that can’t be seen.'
  const detail = 'They can hide a part of it or turn it around; here they are written out, as ‹U+202E›.'
  return [{ tone: 'bad', title, detail: `${detail} Decline unless you know this address.` }]
}

function warningsOf(url: URL, known: string[]): Warning[] {
  const host = url.hostname
  const warnings = [punycode(host), lookAlike(host, known), userInfo(url), plainHttp(url), address(host)]
  return warnings.filter((warning) => warning !== null)
}

function punycode(host: string): Warning | null {
  if (!host.split('.').some((label) => label.startsWith('xn--'))) return null
  return {
    tone: 'bad',
    title: 'This host is written with special letters.',
    detail: `Its real name is ${host}. Letters of other scripts can look like familiar ones. Decline unless you know this address.`,
  }
}

function lookAlike(host: string, known: string[]): Warning | null {
  const real = lookAlikeOf(host, known)
  if (!real) return null
  return {
    tone: 'bad',
    title: `This host only looks like ${domain(real)}.`,
    detail: `It is spelled differently: ${domain(host)}. The server itself is at ${real}. Decline unless you know this address.`,
  }
}

/** The known host that this one could be mixed up with. */
function lookAlikeOf(host: string, known: string[]): string | undefined {
  const mine = domain(host)
  return known.find((other) => {
    const real = domain(other)
    return mine !== '' && real !== '' && mine !== real && skeleton(mine) === skeleton(real)
  })
}

/** The last two labels: good enough to compare, wrong for some public suffixes. */
function domain(host: string): string {
  return isIP(host) ? '' : host.toLowerCase().split('.').slice(-2).join('.')
}

function userInfo(url: URL): Warning | null {
  if (url.username === '' && url.password === '') return null
  return {
    tone: 'bad',
    title: 'The address starts with a user name.',
    detail: `What comes before the @ is not where it leads: that is ${url.host}.`,
  }
}

function plainHttp(url: URL): Warning | null {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return null
  return {
    tone: 'warn',
    title: 'The connection is not encrypted.',
    detail: 'It is plain http: anyone on the way can read and change what you see and type.',
  }
}

function address(host: string): Warning | null {
  if (!isIP(host) || isLoopback(host)) return null
  return { tone: 'warn', title: 'This is a bare network address.', detail: 'No name says whose it is.' }
}

function isIP(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[')
}

export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  )
}

/** The host of an address, "" when there is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
