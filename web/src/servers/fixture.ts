// A server for tests: ready, of the demo's kind, changed as asked.
import type { Auth, Server } from '../lib/wire'

export function authOf(changes: Partial<Auth> = {}): Auth {
  return {
    state: 'none',
    account: '',
    expires_at: null,
    renewable: false,
    scopes: [],
    step_up: [],
    reason: '',
    message: '',
    client: '',
    issuer: '',
    pending_until: null,
    ...changes,
  }
}

export function serverOf(
  changes: Partial<Omit<Server, 'status'>> & { status?: Partial<Server['status']> } = {},
): Server {
  return {
    name: 'demo',
    friendly_name: '',
    description: '',
    transport: 'stdio',
    command: 'demo-mcp',
    args: [],
    cwd: '',
    env: {},
    url: '',
    headers: {},
    enabled: true,
    trusted: false,
    enabled_tools: [],
    disabled_tools: [],
    start_timeout_ms: 120_000,
    call_timeout_ms: 120_000,
    call_max_ms: 3_600_000,
    elicitation_timeout_ms: 300_000,
    max_message_bytes: 16_777_216,
    sse_idle_timeout_ms: 60_000,
    oauth: {},
    reconnect: { initial_ms: 500, max_ms: 30_000, max_attempts: 20 },
    delivery: '',
    created_at: '2026-11-30T08:00:00.000Z',
    updated_at: '2026-11-30T08:00:00.000Z',
    warnings: [],
    ...changes,
    ...(changes.transport === 'http' && { command: '' }),
    status: {
      state: changes.enabled === false ? 'disabled' : 'ready',
      era: 'modern',
      protocol_version: '2026-07-28',
      since: '2026-11-30T09:00:00.000Z',
      last_stderr: '',
      attempts: 0,
      next_attempt_at: null,
      tools: 3,
      resources: 0,
      prompts: 0,
      listed_at: '2026-11-30T09:00:00.000Z',
      saved: false,
      latency_ms: 12,
      server_name: 'demo-mcp',
      server_version: '1.0.0',
      instructions: '',
      auth: authOf(),
      ...changes.status,
    },
  }
}
