import type { BrokenPeers } from './brokenpeers'

/** A broken server: its configuration as another host writes it, and what a person reads of it. */
export interface Broken {
  code: string
  config: object
  /** Another address, typed over that of the configuration. */
  typed?: string
  /** The stage that fails; "" for one that works, with a remark. */
  stage: string
  cause: RegExp
  fix: RegExp
  evidence?: RegExp
}

const sh = (script: string, more: object = {}) => ({ command: '/bin/sh', args: ['-c', script], ...more })
const says = (words: string) => sh(`echo "${words}" >&2; exit 1`)
const silent = (first: string) => sh(`${first}; cat >/dev/null`, { start_timeout_ms: 1500 })
const older = `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["1999-01-01"]}}}`

export function brokenServers(peers: BrokenPeers): Broken[] {
  const at = (path: string, more: object = {}) => ({ url: peers.http + path, ...more })
  return [
    {
      code: 'invalid',
      config: at('/404'),
      typed: '${NOPE_X:-ftp://files.example/mcp}',
      stage: 'Settings',
      cause: /must start with http/,
      fix: /Correct/,
    },
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
      config: { url: `${peers.http.replace('http:', 'https:')}/mcp` },
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
    {
      code: 'interpreter_missing',
      config: { command: `${peers.folder}/script` },
      stage: 'Spawn',
      cause: /first line \(#!\) names is not/,
      fix: /Install the program/,
      evidence: /PATH: /,
    },
    {
      code: 'wrong_platform',
      config: { command: `${peers.folder}/foreign` },
      stage: 'Spawn',
      cause: /can't execute/,
      fix: /kind of machine/,
    },
    {
      code: 'no_common_version',
      config: sh(`read l; echo '${older}'; cat >/dev/null`),
      stage: 'Handshake',
      cause: /1999-01-01/,
      fix: /Update the server/,
    },
    {
      code: 'host_not_found',
      config: { url: 'https://mcp.kontor-test.invalid/mcp' }, // RFC 6761: never resolves
      stage: 'Look-up',
      cause: /no host mcp\.kontor-test\.invalid/,
      fix: /spelt/,
    },
    { code: 'connection_lost', config: at('/lost'), stage: 'Era', cause: /broke/, fix: /own log/ },
    {
      code: 'tls_untrusted',
      config: { url: peers.untrusted },
      stage: 'TLS',
      cause: /not trusted/,
      fix: /SSL_CERT_FILE/,
    },
    {
      code: 'tls_expired',
      config: { url: peers.expired },
      stage: 'TLS',
      cause: /not valid at this time/,
      fix: /Renew/,
    },
    {
      code: 'tls_wrong_host',
      config: { url: peers.misnamed },
      stage: 'TLS',
      cause: /for another host/,
      fix: /the name that the certificate is for/,
    },
    {
      code: 'tls',
      config: { url: peers.alert },
      stage: 'TLS',
      cause: /handshake failure/,
      fix: /TLS settings/,
    },
    { code: 'too_large', config: at('/large'), stage: 'Era', cause: /./, fix: /larger limit/ },
    {
      code: 'stream_failed',
      config: at('/no-stream'),
      stage: 'Stream',
      cause: /HTTP 502/,
      fix: /Its tools work/,
    },
    { code: 'only_sse', config: at('/sse'), stage: '', cause: /HTTP\+SSE/, fix: /Kontor speaks it/ },
  ]
}
