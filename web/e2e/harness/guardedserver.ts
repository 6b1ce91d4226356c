import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AuthServer, read, type Access } from './authserver'

/** An MCP server (2025-06-18, answers in JSON) that wants a sign-in: `whoami` with any, `write` with that scope. */
export class GuardedServer {
  /** Where it is, to be given to Kontor. */
  url = ''
  /** The authorization servers that it names. */
  issuers: string[] = []
  readonly auth: AuthServer
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  private constructor(auth: AuthServer) {
    this.auth = auth
    this.issuers = [auth.issuer]
  }

  static async start(): Promise<GuardedServer> {
    const it = new GuardedServer(await AuthServer.start())
    await new Promise<void>((listening) => it.#server.listen(0, '127.0.0.1', listening))
    it.url = `http://127.0.0.1:${(it.#server.address() as AddressInfo).port}/mcp`
    return it
  }

  close(): void {
    this.auth.close()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get #metadata(): string {
    return this.url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(value === undefined ? '' : JSON.stringify(value))
    const refuse = (status: number, challenge: string) =>
      json(status, undefined, {
        'www-authenticate': `Bearer ${challenge}resource_metadata="${this.#metadata}"`,
      })
    const text = await read(request)
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      return json(200, {
        resource: this.url,
        authorization_servers: this.issuers,
        scopes_supported: ['read'],
      })
    }
    if (request.url !== '/mcp') return json(404, {})
    const access = this.auth.good(request.headers.authorization)
    if (!access) return refuse(401, request.headers.authorization ? 'error="invalid_token", ' : '')
    if (request.method !== 'POST') return json(405, undefined)
    const message = JSON.parse(text) as Message
    if (message.id === undefined) return json(202, undefined)
    if (message.params?.name === 'write' && !access.scopes.includes('write')) {
      return refuse(403, 'error="insufficient_scope", scope="write", ')
    }
    json(200, { jsonrpc: '2.0', id: message.id, ...answer(message, access) })
  }
}

interface Message {
  id?: number | string
  method: string
  params?: { name?: string }
}

const tool = (name: string, description: string) => ({
  ...{ name, description, inputSchema: { type: 'object' } },
  annotations: { readOnlyHint: true },
})

function answer({ method, params }: Message, { scopes }: Access): object {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    ping: {},
    'tools/list': { tools: [tool('whoami', 'Says who you are'), tool('write', 'Writes a line')] },
    'tools/call': {
      content: [
        { type: 'text', text: `${params?.name === 'write' ? 'written' : 'mira'} with ${scopes.join(' ')}` },
      ],
    },
  }
  const result = results[method]
  return result ? { result } : { error: { code: -32601, message: 'no such method' } }
}
