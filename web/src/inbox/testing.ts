// What the tests of the inbox share: items, and a socket that they speak for.
import type { News } from '../lib/socket'
import type {
  Approval,
  Elicitation,
  EventOf,
  Inbox,
  Item,
  PlainItem,
  Question,
  SignInItem,
} from '../lib/wire'

export function elicitation(id: string, more: Partial<Elicitation> = {}): Elicitation {
  return {
    ...{
      id,
      kind: 'elicitation',
      server: 'demo',
      tool: 'ask',
      call_id: `call-${id}`,
      call_ids: [`call-${id}`],
    },
    ...{ session_id: '', asker: { kind: 'person' }, message: 'Go on?', mode: 'form', schema: {}, url: '' },
    ...{ created_at: `2026-11-30T14:00:0${id.length}.000Z`, deadline: null },
    ...more,
  }
}

export function signIn(id: string, more: Partial<SignInItem> = {}): SignInItem {
  return {
    ...{ id, kind: 'sign_in', server: 'demo', tool: '', call_id: null, call_ids: [], session_id: '' },
    ...{ asker: { kind: '' }, message: '', reason: 'first_time', scopes: [], deadline: null },
    created_at: '2026-11-30T14:00:00.000Z',
    ...more,
  }
}

export function approval(id: string, more: Partial<Approval> = {}): Approval {
  return {
    ...{ id, kind: 'approval', server: 'ssh', tool: 'run_command', name: 'mcp__ssh__run_command' },
    ...{ title: 'Run a command', description: '', annotations: null, trusted: false },
    claims: [{ kind: 'destroys', words: 'may destroy' }],
    ...{ call_id: `call-${id}`, call_ids: [`call-${id}`], session_id: '', agent: '', message: '' },
    ...{ asker: { kind: 'gateway', label: 'Zed' }, arguments: {}, notes: [], once_only: false, reason: '' },
    ...{ created_at: `2026-11-30T14:00:0${id.length}.000Z`, deadline: null },
    ...more,
  }
}

export function question(id: string, more: Partial<Question> = {}): Question {
  return {
    ...{ id, kind: 'question', server: '', tool: '', call_id: null, call_ids: [], session_id: 'chat' },
    ...{ asker: { kind: 'agent', label: 'Kontor' }, message: 'Which day?', suggestions: [], deadline: null },
    created_at: '2026-11-30T14:00:00.000Z',
    ...more,
  }
}

export function notification(id: string, more: Partial<PlainItem> = {}): PlainItem {
  return {
    ...{ id, kind: 'notification', server: '', tool: '', call_id: null, call_ids: [], session_id: '' },
    ...{ asker: { kind: 'agent', label: 'Kontor' }, message: 'nas-2 is full', deadline: null },
    created_at: '2026-11-30T14:00:00.000Z',
    ...more,
  }
}

export const empty: Inbox = {
  ...{
    total: 0,
    approvals: [],
    elicitations: [],
    questions: [],
    sign_ins: [],
    notifications: [],
    findings: [],
  },
}

/** The socket's news, told by the test. */
export class FakeLive {
  readonly listeners = new Map<string, (event: never) => void>()
  resync: () => void = () => undefined
  on<T extends News['type']>(type: T, listener: (event: EventOf<T>) => void) {
    this.listeners.set(type, listener)
    return () => undefined
  }
  onResync(read: () => void) {
    this.resync = read
    return () => undefined
  }
  add(item: Item) {
    this.listeners.get('item_added')?.({ item } as never)
  }
  settle(id: string, by = 'you', action = 'accept') {
    this.listeners.get('item_resolved')?.({
      resolution: { id, action, by, at: '2026-11-30T14:00:00.000Z' },
    } as never)
  }
}
