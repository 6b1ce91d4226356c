// What a server is called: rules in words, and a name suggested from how it is reached.

/** Why the name can't be a server's, or "". `taken` are the names in use. */
export function nameProblem(name: string, taken: readonly string[] = []): string {
  if (name === '') return 'Give it a name.'
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return 'Use letters, digits, dots, dashes and underscores only.'
  if (name.length > 64) return 'Use 64 characters at most.'
  if (name.includes('__')) return 'Two underscores in a row separate server and tool: use one.'
  if (/^_|_$/.test(name)) return 'An underscore can’t be first or last.'
  if (['.', '..', 'config'].includes(name)) return `“${name}” is reserved: choose another name.`
  if (taken.includes(name)) return `There is a server named “${name}” already.`
  return ''
}

export interface Reach {
  transport: 'stdio' | 'http'
  command: string
  args: readonly string[]
  url: string
}

/** A name for a server that is reached like this, unlike those taken; "" when nothing tells. */
export function suggestName(reach: Reach, taken: readonly string[] = []): string {
  const found = reach.transport === 'http' ? ofAddress(reach.url) : ofCommand(reach.command, reach.args)
  const name = clean(found)
  if (name === '') return ''
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name}-${n}`
    if (nameProblem(numbered, taken) === '') return numbered
  }
}

function clean(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, 58)
    .replace(/[._-]+$/, '')
}

function ofAddress(address: string): string {
  if (!URL.canParse(address)) return ''
  const { hostname, port } = new URL(address)
  const labels = hostname.split('.')
  const isNumber = /^[\d.]+$|^\[/.test(hostname)
  if (isNumber || labels.length === 1) return port ? `${hostname}-${port}` : hostname
  while (labels.length > 2 && ['www', 'mcp', 'api'].includes(labels[0] ?? '')) labels.shift()
  return labels[0] ?? ''
}

/** Programs that fetch or run a package, and the words before its name. */
const runners: Record<string, RegExp> = {
  npx: /^$/,
  uvx: /^$/,
  bunx: /^$/,
  pipx: /^run$/,
  npm: /^(exec|x)$/,
  pnpm: /^(dlx|exec)$/,
  yarn: /^(dlx|exec)$/,
  uv: /^(tool|run)$/,
  docker: /^run$/,
  podman: /^run$/,
}
/** Options of these programs that take a value. */
const withValue =
  /^(-p|--package|--python|--with|--directory|--project|-e|--env|--env-file|-v|--volume|--mount|--name|--network)$/
const interpreters = ['node', 'deno', 'bun', 'tsx', 'python', 'python3', 'ruby', 'php', 'java', 'bash', 'sh']

function ofCommand(command: string, args: readonly string[]): string {
  const program = baseName(command.trim())
  const before = runners[program]
  if (before) return packageName(firstWord(args, before)) || program
  if (interpreters.includes(program)) {
    const module = args.indexOf('-m')
    if (module >= 0) return packageName(args[module + 1] ?? '')
    return scriptName(firstWord(args, /^run$/)) || program
  }
  if (program === 'kontor' && args[0] === 'server') return args[1] ?? program
  return packageName(program)
}

function firstWord(args: readonly string[], skip: RegExp): string {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (withValue.test(arg)) i++
    else if (arg !== '' && !arg.startsWith('-') && !skip.test(arg)) return arg
  }
  return ''
}

/** `@modelcontextprotocol/server-github@1.2.3` is github; `@playwright/mcp` is playwright. */
function packageName(spec: string): string {
  const [scope, rest] = spec.startsWith('@') ? split(spec.slice(1), '/') : ['', baseName(spec)]
  const bare = rest.replace(/[@:]([\w.^~*-]+)?$|[=<>~!]=?.*$|\[.*$/g, '')
  const name = bare
    .replace(/^(mcp-server|server-mcp|server|mcp)-/, '')
    .replace(/-(mcp-server|server-mcp|mcp|server)$/, '')
  return /^(mcp|server|mcp-server|)$/.test(name) ? scope || bare : name
}

function scriptName(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
  const file = (parts.pop() ?? '').replace(/\.\w+$/, '')
  if (!/^(index|main|server|cli|app|mcp|__main__)$/.test(file)) return packageName(file)
  const folder = parts.reverse().find((part) => !/^(dist|build|out|src|bin|lib|\.\.)$/.test(part))
  return packageName(folder ?? file)
}

function baseName(path: string): string {
  return (path.split(/[/\\]/).pop() ?? '').replace(/\.(exe|cmd|bat|sh)$/i, '')
}

function split(text: string, at: string): [string, string] {
  const i = text.indexOf(at)
  return i < 0 ? ['', text] : [text.slice(0, i), text.slice(i + 1)]
}
