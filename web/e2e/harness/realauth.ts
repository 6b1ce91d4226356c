import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

const real = new URL('../../../test/real/', import.meta.url).pathname

/** oidc-provider in front of the reference server that has everything, from test/real. */
export class RealAuth {
  private constructor(
    readonly issuer: string,
    readonly url: string,
    private readonly running: ChildProcess[],
  ) {}

  static async start(): Promise<RealAuth> {
    const port = await freePort()
    const everything = `${real}node_modules/@modelcontextprotocol/server-everything/dist/index.js`
    const upstream = spawn('node', [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
    })
    await said(upstream, /listening on port/)
    const authority = spawn('node', [`${real}as.mjs`, `http://127.0.0.1:${port}/mcp`])
    const line = await said(authority, /^\{"issuer"/)
    const { issuer, resource } = JSON.parse(line) as { issuer: string; resource: string }
    return new RealAuth(issuer, resource, [authority, upstream])
  }

  async close(): Promise<void> {
    for (const child of this.running) {
      if (child.exitCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

/** The first line of a program that fits. */
function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        if (pattern.test(line)) resolve(line)
      })
    }
    child.on('exit', () =>
      reject(new Error(`it ended without saying ${String(pattern)}:\n${lines.join('\n')}`)),
    )
    child.on('error', reject)
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
