import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Chat } from './chat.svelte'
import { aChat, aDelta, aMessage, anAnswer, aResult } from './fixture'
import { FakeServer, fakeApp } from './testing'

async function open(server = new FakeServer()) {
  const { app, tell, resync } = fakeApp(server)
  const chat = new Chat(app, 's1')
  onTestFinished(chat.start())
  await vi.waitFor(() => expect(chat.root.messages && chat.detail).not.toBeNull())
  const ids = () => chat.root.messages?.map(({ id }) => id).join(' ')
  const draft = () => chat.root.draft?.parts.map(({ text }) => text).join('|')
  return { chat, server, tell, resync, ids, draft }
}

describe('an answer that is being written', () => {
  it('is followed, and becomes its message', async () => {
    const { chat, tell, draft, ids } = await open()
    tell('message_delta', aDelta(0, 'Hel'))
    tell('message_delta', aDelta(3, 'lo'))
    expect(draft()).toBe('Hello')
    tell('message_done', { message: anAnswer('m9', [{ kind: 'text', text: 'Hello there' }]) })
    expect([chat.root.draft, ids()]).toEqual([null, 'm9'])
    // What comes late belongs to it, and changes nothing.
    tell('message_delta', aDelta(5, ' there'))
    expect(chat.root.draft).toBeNull()
  })

  it('is there after a reload, whatever came while it was read', async () => {
    const server = new FakeServer()
    server.detail = aChat({
      state: 'running',
      turn_id: 't1',
      drafts: [anAnswer('m9', [{ kind: 'text', text: 'Hello' }])],
    })
    const { tell, draft } = await open(server)
    expect(draft()).toBe('Hello')
    tell('message_delta', aDelta(0, 'Hello'))
    tell('message_delta', aDelta(3, 'lo there'))
    expect(draft()).toBe('Hello there')
  })

  it('is read when a piece of it was missed', async () => {
    const { server, tell, draft } = await open()
    tell('message_delta', aDelta(0, 'Hel'))
    server.detail = aChat({ drafts: [anAnswer('m9', [{ kind: 'text', text: 'Hello there' }])] })
    tell('message_delta', aDelta(11, ' you'))
    await vi.waitFor(() => expect(draft()).toBe('Hello there'))
    tell('message_delta', aDelta(11, ' you'))
    expect(draft()).toBe('Hello there you')
  })

  it('goes when its turn ends without it', async () => {
    const { chat, tell } = await open()
    tell('turn_started', { session_id: 's1', turn_id: 't1' })
    expect(chat.busy).toBe(true)
    tell('message_delta', aDelta(0, 'Hel'))
    tell('turn_done', { session_id: 's1', turn_id: 't1', state: 'stopped' })
    expect([chat.root.draft, chat.busy]).toEqual([null, false])
  })
})

it('knows that a turn is over whose beginning is answered late', async () => {
  const { chat, tell } = await open()
  const sent = chat.send({ text: 'Hi' })
  tell('turn_started', { session_id: 's1', turn_id: 't1' })
  tell('turn_done', { session_id: 's1', turn_id: 't1', state: 'done' })
  await sent
  expect(chat.busy).toBe(false)
})

it('leaves other chats alone', async () => {
  const { chat, tell, ids } = await open()
  tell('message_delta', aDelta(0, 'Hel', { session_id: 's2' }))
  tell('message_done', { message: aMessage('m1', { session_id: 's2' }) })
  tell('session_changed', { session: aChat({ id: 's2', title: 'Another' }) })
  tell('messages_replaced', { session_id: 's2', from: 'm0' })
  expect([chat.root.draft, ids(), chat.detail?.title]).toEqual([null, '', 'Invoice totals'])
})

it('takes a message that came while the messages were read, once', async () => {
  const server = new FakeServer()
  server.messages.set('', [aMessage('m1')])
  let openGate: () => void = () => {
    throw new Error('a promise begins at once')
  }
  server.gate = new Promise((resolve) => (openGate = () => resolve(undefined)))
  const { app, tell } = fakeApp(server)
  const chat = new Chat(app, 's1')
  onTestFinished(chat.start())
  await vi.waitFor(() => expect(server.asked.some(({ path }) => path.endsWith('/messages'))).toBe(true))
  tell('message_done', { message: aMessage('m2') })
  openGate()
  await vi.waitFor(() => expect(chat.root.messages?.map(({ id }) => id)).toEqual(['m1', 'm2']))
})

it('reads older messages page by page, and keeps them after a gap', async () => {
  const server = new FakeServer()
  const all = Array.from({ length: 120 }, (_, i) => aMessage(`m${String(i).padStart(3, '0')}`))
  server.messages.set('', all)
  const { chat, resync } = await open(server)
  expect(chat.root.messages).toHaveLength(50)
  await chat.root.more()
  expect([chat.root.messages?.length, chat.root.messages?.[0]?.id]).toEqual([100, 'm020'])
  server.messages.set('', [...all, aMessage('m120')])
  resync()
  await vi.waitFor(() => expect(chat.root.messages?.at(-1)?.id).toBe('m120'))
  await chat.root.more()
  expect([chat.root.messages?.length, chat.root.hasMore]).toEqual([121, false])
})

it('shows no message that another took the place of', async () => {
  const server = new FakeServer()
  server.messages.set('', [aMessage('m1'), aMessage('m2'), anAnswer('m3', [])])
  const { tell, ids } = await open(server)
  tell('messages_replaced', { session_id: 's1', from: 'm2' })
  tell('message_done', { message: aMessage('m4') })
  expect(ids()).toBe('m1 m4')
})

it('follows a sub-agent once it is looked at, apart from the chat', async () => {
  const server = new FakeServer()
  const frame = {
    ...{ id: 'f1', session_id: 's1', parent_id: 'f0', use_id: 'u1', agent: 'researcher', task: 'Look' },
    ...{ depth: 1, state: 'open' as const, created_at: '', ended_at: null },
  }
  const { chat, tell, draft } = await open(server)
  tell('frame_changed', { frame })
  tell('message_delta', aDelta(0, 'not looked at', { frame_id: 'f1' }))
  expect(draft()).toBeUndefined()
  server.detail = aChat({ frames: [frame] })
  server.messages.set('f1', [aMessage('m2', { root: false, frame_id: 'f1' })])
  chat.openFrame('f1')
  await vi.waitFor(() => expect(chat.frames.get('f1')?.messages).toHaveLength(1))
  tell('message_delta', aDelta(0, 'Found', { frame_id: 'f1', message_id: 'm3' }))
  tell('message_done', {
    message: aResult('m4', 'u9', { text: 'ok' }),
  })
  expect(chat.frames.get('f1')?.draft?.parts[0]?.text).toBe('Found')
  tell('frame_changed', { frame: { ...frame, state: 'stopped' } })
  expect(chat.frames.get('f1')?.draft).toBeNull()
})

it('knows that it was deleted elsewhere', async () => {
  const { chat, tell } = await open()
  tell('session_removed', { id: 's2' })
  expect(chat.removed).toBe(false)
  tell('session_removed', { id: 's1' })
  expect(chat.removed).toBe(true)
})
