import type { Call } from '../lib/wire'

/** A call for tests. */
export function aCall(over: Partial<Call> = {}): Call {
  return {
    id: 'c1',
    name: 'mcp__demo__echo',
    server: 'demo',
    tool: 'echo',
    arguments: {},
    state: 'running',
    asker: { kind: 'person' },
    session_id: '',
    result_type: 'string',
    result: null,
    structured: null,
    content: [],
    media: [],
    is_error: false,
    started_at: '2026-11-30T14:00:00.000Z',
    ended_at: null,
    ...over,
  }
}
