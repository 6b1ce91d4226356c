import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How long it may take to start, on a busy machine. */
const startLimit = 60_000
const stopLimit = 20_000

/** A call as the API tells it, as far as tests look at it. */
export interface Call {
  id: string
  state: string
  is_error: boolean
  result: string
  structured: unknown
}

interface Item {
  id: string
  call_id: string | null
  message: string
}

/** A running Kontor: the real binary, with a data folder and a port of its own. */
export class Kontor {
  static readonly bin = process.env['KONTOR_BIN'] ?? ''
  static readonly #source = new URL('../../..', import.meta.url).pathname
  /** The sign-in link that it printed when it started last. */
  link = ''
  /** Where it is, without a slash at the end. It stays the same after a restart. */
  url = ''
  readonly #home: string
  readonly #token = 'e2e-token-of-the-tests'
  #process: ChildProcess | null = null
  #end = () => this.#process?.kill('SIGKILL')

  private constructor(home: string) {
    this.#home = home
    process.on('exit', this.#end)
  }

  /** Starts one, with the demo server. */
  static async start(): Promise<Kontor> {
    if (!Kontor.bin) throw new Error('KONTOR_BIN must name the binary to test: run make test-browser')
    const kontor = new Kontor(await mkdtemp(join(tmpdir(), 'kontor-e2e-')))
    await kontor.up()
    return kontor
  }

  /** Starts it again, in the same place. */
  async up(): Promise<void> {
    const listen = this.url ? new URL(this.url).host : '127.0.0.1:0'
    const child = spawn(Kontor.bin, ['serve', '--demo', '--data', this.#data, '--listen', listen], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)))
    this.link = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no link after ${startLimit} ms:\n${log}`)), startLimit)
      let out = ''
      child.on('error', reject)
      child.on('exit', (code) => reject(new Error(`it ended with ${code}:\n${log}`)))
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
        const link = /http:\S+\/login\?code=\w+/.exec(out)?.[0]
        if (!link) return
        clearTimeout(timer)
        resolve(link)
      })
    })
    this.url = new URL(this.link).origin
  }

  /** Ends it as a person does who stops the service. */
  async down(): Promise<void> {
    await this.#stop('SIGTERM')
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.#stop('SIGKILL')
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.down()
    process.off('exit', this.#end)
    await rm(this.#home, { recursive: true, force: true })
  }

  /** Restarts it with a chat of so many messages, "Message 0." to the latest. Returns the chat's id. */
  async withLongChat(messages: number): Promise<string> {
    await this.down()
    const args = ['run', '-pgo=off', './test/longchat', '-data', this.#data, '-messages', String(messages)]
    const { stdout } = await promisify(execFile)('go', args, { cwd: Kontor.#source })
    await this.up()
    return stdout.trim()
  }

  /** Another sign-in link. */
  async newLink(): Promise<string> {
    const command = promisify(execFile)
    const { stdout } = await command(Kontor.bin, ['link', '--data', this.#data], { env: this.#env })
    return stdout.trim()
  }

  /** A request to the API, with the token from the environment. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' }
    return fetch(this.url + path, { ...init, headers: { ...headers, ...init.headers } })
  }

  async #json<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
    const response = await this.fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** Starts a tool of the demo server, and comes back before it ends. */
  start(tool: string, args: Record<string, unknown> = {}): Promise<Call> {
    return this.#json('/api/tools/call', 'POST', { name: `mcp__demo__${tool}`, arguments: args, wait_ms: 0 })
  }

  call(id: string): Promise<Call> {
    return this.#json(`/api/calls/${id}`)
  }

  /** Starts a tool that asks, and waits for its question. */
  async ask(tool: string, args: Record<string, unknown> = {}): Promise<{ call: Call; item: string }> {
    const call = await this.start(tool, args)
    const until = Date.now() + startLimit
    for (;;) {
      const { elicitations } = await this.#json<{ elicitations: Item[] }>('/api/inbox')
      const item = elicitations.find(({ call_id }) => call_id === call.id)
      if (item) return { call, item: item.id }
      if (Date.now() > until) throw new Error(`${tool} asked nothing`)
    }
  }

  /** Ends every call that is open, and so what they ask; starts it if a test left it down. */
  async quiet(): Promise<void> {
    if (!this.#process) await this.up()
    const { items } = await this.#json<{ items: Call[] }>('/api/calls')
    const open = items.filter(({ state }) => ['running', 'waiting_input', 'waiting_approval'].includes(state))
    await Promise.all(open.map(({ id }) => this.#json(`/api/calls/${id}/cancel`, 'POST')))
  }

  async servers(): Promise<string[]> {
    const { items } = await this.#json<{ items: { name: string }[] }>('/api/servers')
    return items.map(({ name }) => name)
  }

  async deleteServer(name: string): Promise<void> {
    await this.#json(`/api/servers/${name}`, 'DELETE')
  }

  async addServer(config: Record<string, unknown>): Promise<void> {
    await this.#json('/api/servers', 'POST', config)
  }

  /** What is in the log file of a server. */
  serverLog(name: string): Promise<string> {
    return readFile(join(this.#data, 'logs', 'mcp', `${name}.log`), 'utf8')
  }

  get #data(): string {
    return join(this.#home, 'data')
  }

  get #env(): NodeJS.ProcessEnv {
    const { PATH, LANG, TMPDIR } = process.env
    return { PATH, LANG, TMPDIR, HOME: this.#home, KONTOR_API_TOKEN: this.#token }
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopLimit)
    child.kill(signal)
    await ended
    clearTimeout(timer)
  }
}
