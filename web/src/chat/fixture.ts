// What the tests of the chat page share.
import type { Message, Part, SessionDetail } from '../lib/wire'
import type { Delta } from './draft'

export function aMessage(id: string, over: Partial<Message> = {}): Message {
  return {
    ...{
      id,
      session_id: 's1',
      frame_id: 'f0',
      root: true,
      turn_id: 't1',
      role: 'user',
      model: '',
      finish: '',
    },
    parts: [{ kind: 'text', text: `Words of ${id}` }],
    usage: { input: 0, cache_read: 0, output: 0 },
    created_at: '2026-11-30T14:00:00.000Z',
    ...over,
  }
}

export function anAnswer(id: string, parts: Part[], over: Partial<Message> = {}): Message {
  return aMessage(id, { role: 'assistant', model: 'Main', finish: 'stop', parts, ...over })
}

export function aResult(id: string, use: string, over: Partial<Part> = {}): Message {
  return aMessage(id, { role: 'tool', parts: [{ kind: 'tool_result', use_id: use, text: 'ok', ...over }] })
}

export function aDelta(offset: number, text: string, over: Partial<Delta> = {}): Delta {
  return {
    ...{ type: 'message_delta', seq: 1, at: '', session_id: 's1', frame_id: 'f0', message_id: 'm9' },
    ...{ part: 0, kind: 'text', offset, text },
    ...over,
  }
}

export function aChat(over: Partial<SessionDetail> = {}): SessionDetail {
  return {
    ...{
      id: 's1',
      title: 'Invoice totals',
      state: 'idle',
      agent: 'main',
      model: '',
      waiting: 0,
      turn_id: '',
    },
    groups: [],
    context: { used: 0, limit: 0, vocabulary: 'o200k_base' },
    frames: [],
    drafts: [],
    created_at: '2026-11-30T14:00:00.000Z',
    updated_at: '2026-11-30T14:00:00.000Z',
    ...over,
  }
}
