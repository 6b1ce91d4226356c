import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { createServer as createSocket, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from './certificate'

// Servers and programs that don't work, each in its own way.

export interface BrokenPeers {
  /** Answers by path: /404, /html, …; silent at any other. */
  http: string
  /** TLS whose certificate nobody vouches for, is past its time, or is for another address. */
  untrusted: string
  expired: string
  misnamed: string
  /** TLS that breaks off the handshake. */
  alert: string
  /** A folder with `script`, whose interpreter isn't there, and `foreign`, which is no program. */
  folder: string
  close(): Promise<void>
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const json = (response: ServerResponse, text: string) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(text)
const refused = '{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"not you"}}'

const answers: Record<string, Answer> = {
  '/html': (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<title>Welcome</title>'),
  '/login': (r) => r.writeHead(302, { location: '/html' }).end(),
  '/moved': (r) => r.writeHead(301, { location: 'https://new.example/mcp' }).end(),
  '/401': (r) => r.writeHead(401).end(),
  '/403': (r) => r.writeHead(403).end('unknown host'),
  '/scope': (r) => r.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope"' }).end(),
  '/404': (r) => r.writeHead(404).end(),
  '/429': (r) => r.writeHead(429).end(),
  '/500': (r) => r.writeHead(500).end('boom'),
  '/503': (r) => r.writeHead(503).end('no backend'),
  '/png': (r) => r.writeHead(200, { 'content-type': 'image/png' }).end('PNG'),
  '/tls': (r) => r.writeHead(400).end('Client sent an HTTP request to an HTTPS server.'),
  '/error': (r) => json(r, refused),
  '/large': (r) => json(r, `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(17 << 20)}"}`),
  '/lost': (_, request) => request.socket.destroy(),
  '/no-stream': (r, request) => {
    if (request.method === 'GET') r.writeHead(502).end()
    else void reply(request).then((text) => (text ? json(r, text) : r.writeHead(202).end()))
  },
  '/sse': (r) => {
    streams.push(r)
    r.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /sent\n\n')
  },
  '/sent': (r, request) =>
    void reply(request).then((text) => {
      r.writeHead(202).end()
      if (text) for (const stream of streams) stream.write(`event: message\ndata: ${text}\n\n`)
    }),
}

/** The open streams of /sse. */
const streams: ServerResponse[] = []

/** What a server with no tools says to a message; nothing to a notification. */
async function reply(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  const { id, method } = (text ? JSON.parse(text) : {}) as { id?: number; method?: string }
  if (id === undefined) return ''
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'plain', version: '1' },
    },
    'tools/list': { tools: [] },
  }
  const result = results[method ?? '']
  const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } }
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
}

export async function brokenPeers(): Promise<BrokenPeers> {
  const day = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * day)
  const secure = (wanted: Parameters<typeof selfSigned>[0]) =>
    createSecure(selfSigned(wanted), (_, r) => r.end())
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://peer')
    if (request.method === 'POST' && pathname === '/sse') {
      response.writeHead(405).end() // found to be the older transport by that
      return
    }
    answers[pathname]?.(response, request)
    if (!request.readableFlowing) request.resume()
  })
  const untrusted = secure({ address: '127.0.0.1' })
  const expired = secure({ address: '127.0.0.1', from: ago(9), until: ago(2) })
  const misnamed = secure({ address: '192.0.2.1' })
  // A fatal alert, handshake_failure, in place of a ServerHello (RFC 8446 section 6.2).
  const alert = createSocket((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.of(0x15, 3, 3, 0, 2, 2, 40)))
  })
  const servers: Server[] = [http, untrusted, expired, misnamed, alert]
  const ports = await Promise.all(servers.map(listen))
  const folder = await mkdtemp(join(tmpdir(), 'kontor-broken-'))
  await program(join(folder, 'script'), '#!/nowhere/interpreter\n')
  await program(join(folder, 'foreign'), '\0\x01 no program')
  const [plain, ...tls] = ports.map((port) => `127.0.0.1:${port}`)
  const [a = '', b = '', c = '', d = ''] = tls.map((host) => `https://${host}/mcp`)
  return {
    http: `http://${plain}`,
    ...{ untrusted: a, expired: b, misnamed: c, alert: d },
    folder,
    close: async () => {
      http.closeAllConnections()
      for (const server of servers) server.close()
      await rm(folder, { recursive: true })
    },
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((listening) =>
    server.listen(0, '127.0.0.1', () => listening((server.address() as AddressInfo).port)),
  )
}

async function program(path: string, text: string): Promise<void> {
  await writeFile(path, text)
  await chmod(path, 0o755)
}
