import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { gone, see } from './harness/screen'
import { expect, test } from './harness/test'

// A broken server of each kind: its configuration as another host writes it, the stage
// that fails, and words of the cause, the evidence and the fix.
interface Broken {
  code: string
  config: object
  stage: string
  cause: RegExp
  fix: RegExp
  evidence?: RegExp
}

const sh = (script: string, more: object = {}) => ({ command: '/bin/sh', args: ['-c', script], ...more })
const says = (words: string) => sh(`echo "${words}" >&2; exit 1`)
const silent = (first: string) => sh(`${first}; cat >/dev/null`, { start_timeout_ms: 1500 })

/** Answers by path: /404, /html, …; anything else is silent. */
const answers: Record<string, (response: ServerResponse) => void> = {
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
  '/error': (r) =>
    r
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"not you"}}'),
}
const peer = createServer((request: IncomingMessage, response: ServerResponse) => {
  request.resume()
  answers[new URL(request.url ?? '/', 'http://peer').pathname]?.(response)
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((listening) => peer.listen(0, '127.0.0.1', listening))
  port = (peer.address() as AddressInfo).port
})
afterAll(() => {
  peer.closeAllConnections()
  peer.close()
})

const at = (path: string, more: object = {}) => ({ url: `http://127.0.0.1:PORT${path}`, ...more })

const broken: Broken[] = [
  {
    code: 'missing_variable',
    config: sh('exit 1', { env: { K: '${NOPE_X}' } }),
    stage: 'Variables',
    cause: /NOPE_X/,
    fix: /Settings → Secrets/,
  },
  {
    code: 'command_not_found',
    config: { command: 'no-such-program', env: { PATH: '/nowhere' } },
    stage: 'Spawn',
    cause: /not found in PATH "\/nowhere"/,
    fix: /whole path/,
    evidence: /PATH: \/nowhere/,
  },
  {
    code: 'command_not_executable',
    config: { command: '/etc' },
    stage: 'Spawn',
    cause: /may not be executed/,
    fix: /chmod/,
  },
  {
    code: 'folder_not_found',
    config: sh('exit 1', { cwd: '/nowhere' }),
    stage: 'Spawn',
    cause: /no folder/,
    fix: /Make the folder/,
  },
  {
    code: 'exited',
    config: sh('echo "config.yaml: no such file" >&2; exit 3'),
    stage: 'Spawn',
    cause: /exited with code 3/,
    fix: /last lines say why/,
    evidence: /config\.yaml/,
  },
  {
    code: 'needs_newer_node',
    config: says('npm error code EBADENGINE'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /newer Node/,
    evidence: /EBADENGINE/,
  },
  {
    code: 'needs_newer_python',
    config: says('needs Python >=3.13'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /newer Python/,
    evidence: /3\.13/,
  },
  {
    code: 'package_not_found',
    config: says('npm error code E404'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /how the package is spelt/,
  },
  {
    code: 'registry_unreachable',
    config: says('getaddrinfo ENOTFOUND the.place'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /is online/,
  },
  {
    code: 'module_missing',
    config: says('Error: Cannot find module x'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /npx or uvx/,
  },
  {
    code: 'port_in_use',
    config: says('listen EADDRINUSE: address already in use'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /another port/,
  },
  {
    code: 'setting_missing',
    config: says('API_TOKEN environment variable is required'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /environment/,
  },
  {
    code: 'wrong_arguments',
    config: says('unknown option --x'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /arguments/,
  },
  {
    code: 'permission_denied',
    config: says('EACCES: permission denied'),
    stage: 'Spawn',
    cause: /code 1/,
    fix: /the right/,
  },
  {
    code: 'stdout_noise',
    config: silent('echo Welcome'),
    stage: 'Era',
    cause: /no MCP/,
    fix: /banner/,
    evidence: /stdout: Welcome/,
  },
  {
    code: 'serves_http',
    config: silent('echo "listening on http://localhost:3001/mcp" >&2'),
    stage: 'Era',
    cause: /listens at an address/,
    fix: /its address instead/,
  },
  { code: 'timeout', config: silent(':'), stage: 'Era', cause: /did not answer/, fix: /more time/ },
  {
    code: 'connection_refused',
    config: { url: 'http://127.0.0.1:1/mcp' },
    stage: 'Connect',
    cause: /nothing listens/,
    fix: /host and port/,
  },
  {
    code: 'address_refused',
    config: { url: 'http://169.254.169.254/mcp' },
    stage: 'Connect',
    cause: /metadata/,
    fix: /an address at which/,
  },
  {
    code: 'tls_not_spoken',
    config: { url: 'https://127.0.0.1:PORT/mcp' },
    stage: 'TLS',
    cause: /doesn't speak TLS/,
    fix: /http:\/\//,
  },
  { code: 'tls_expected', config: at('/tls'), stage: 'Era', cause: /wants TLS/, fix: /https:\/\// },
  {
    code: 'html',
    config: at('/html'),
    stage: 'Era',
    cause: /a web page, not MCP/,
    fix: /MCP endpoint/,
    evidence: /Welcome/,
  },
  { code: 'html', config: at('/login'), stage: 'Era', cause: /redirects to/, fix: /MCP endpoint/ },
  { code: 'redirected', config: at('/moved'), stage: 'Era', cause: /new\.example/, fix: /final address/ },
  { code: 'wrong_path', config: at('/404'), stage: 'Era', cause: /HTTP 404/, fix: /\/sse/ },
  {
    code: 'needs_sign_in',
    config: at('/401'),
    stage: 'Sign-in',
    cause: /asks for a sign-in/,
    fix: /Save it and sign in/,
  },
  {
    code: 'forbidden',
    config: at('/403'),
    stage: 'Sign-in',
    cause: /refuses/,
    fix: /token/,
    evidence: /unknown host/,
  },
  {
    code: 'insufficient_scope',
    config: at('/scope'),
    stage: 'Sign-in',
    cause: /more rights/,
    fix: /more rights/,
  },
  { code: 'rate_limited', config: at('/429'), stage: 'Era', cause: /429/, fix: /Wait/ },
  {
    code: 'server_down',
    config: at('/503'),
    stage: 'Era',
    cause: /503/,
    fix: /later/,
    evidence: /no backend/,
  },
  { code: 'http_status', config: at('/500'), stage: 'Era', cause: /500/, fix: /own log/, evidence: /boom/ },
  {
    code: 'protocol',
    config: at('/png'),
    stage: 'Era',
    cause: /./,
    fix: /an MCP server/,
    evidence: /image\/png/,
  },
  { code: 'server_error', config: at('/error'), stage: 'Handshake', cause: /not you/, fix: /log/ },
]

test('each way to be broken is told by its stage, cause, evidence and fix; nothing is saved', async ({
  kontor,
  page,
}) => {
  await page.goto('/servers')
  await page.getByRole('link', { name: 'Add server' }).click()
  const form = page.getByRole('complementary', { name: 'Add a server' })
  const result = form.getByRole('region', { name: 'Test' })
  for (const { code, config, stage, cause, fix, evidence } of broken) {
    const text = JSON.stringify({ broken: config }).replaceAll('PORT', String(port))
    const read = page.waitForResponse((response) => response.url().endsWith('/api/servers/import'))
    await form.getByRole('textbox', { name: 'Paste anything' }).fill(text)
    await read
    await gone(result)
    await see(form.getByText(/^Recognised: one server/))
    await form.getByRole('button', { name: 'Test', exact: true }).click()
    await see(result.getByText(/^stopped at step/))
    const failed = result.locator('.stage.is-bad')
    expect.soft(await failed.innerText(), code).toMatch(new RegExp(`${stage}[\\s\\S]*${cause.source}`))
    expect.soft(await result.locator('.notice').first().innerText(), code).toMatch(fix)
    if (evidence) expect.soft(await result.locator('pre').innerText(), code).toMatch(evidence)
    const keeps = code === 'needs_sign_in'
    expect.soft(await form.getByRole('button', { name: 'Save', exact: true }).isEnabled(), code).toBe(keeps)
  }
  expect(await kontor.servers()).not.toContain('broken')
})

test('a file of another host is imported: chosen servers, turned off', async ({ kontor, page }) => {
  await page.goto('/servers')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import servers' })
  await dialog.getByRole('button', { name: 'Text', exact: true }).click()
  await dialog
    .getByRole('textbox', { name: 'Text' })
    .fill(
      '{"mcpServers":{"first":{"command":"a","env":{"K":"s3cret-value"}},"other":{"url":"https://b.example/mcp"}}}',
    )
  await dialog.getByRole('button', { name: 'Read', exact: true }).click()
  await see(dialog.getByText('Recognised: two servers, from a Claude Desktop snippet'))
  await dialog.getByRole('checkbox', { name: /^other/ }).uncheck()
  await dialog.getByRole('button', { name: 'Add 1 server' }).click()
  await see(page.getByRole('link', { name: 'first' }))
  expect(await kontor.servers()).toContain('first')
  expect(await kontor.servers()).not.toContain('other')
  await kontor.deleteServer('first')
})
