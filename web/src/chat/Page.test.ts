import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, describe, expect, it } from 'vitest'
import type { Resource } from '../lib/wire'
import { aChat, aDelta, aMessage, anAnswer, aResult } from './fixture'
import PageHarness from './PageHarness.svelte'
import { FakeServer, fakeApp } from './testing'

afterEach(() => sessionStorage.clear())

async function show(server = new FakeServer()) {
  const fake = fakeApp(server)
  render(PageHarness, { app: fake.app, route: { page: 'chats', id: 's1' } })
  const messages = await screen.findByRole('group', { name: 'Messages' })
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  const type = async (text: string) => {
    await fireEvent.input(field, { target: { value: text } })
    field.setSelectionRange(text.length, text.length)
    await fireEvent.keyUp(field)
  }
  return { ...fake, server, messages, field, type }
}

describe('the message field', () => {
  it('sends with Enter, and begins a line with Shift', async () => {
    const { server, field, type } = await show()
    await type('Hello')
    await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
    expect(server.done).toEqual([])
    await fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(server.done).toEqual(['POST /api/sessions/s1/messages']))
    const { body } = server.asked.find(({ method }) => method === 'POST') ?? {}
    expect(body).toEqual({ text: 'Hello', attachments: [] })
    expect(field.value).toBe('')
  })

  it('sends nothing while a letter is composed, and nothing that is empty', async () => {
    const { server, field, type } = await show()
    await type('か')
    await fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    await type('   ')
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(server.done).toEqual([])
  })

  it('gives the words back that could not be sent', async () => {
    const server = new FakeServer()
    const { field, type } = await show(server)
    server.refuse = { code: 'invalid', detail: 'The agent of this chat can’t be used.' }
    await type('Hello')
    await fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText(/The agent of this chat can’t be used/)
    expect(field.value).toBe('Hello')
  })

  it('stops a turn with Escape, and says that what is sent joins it', async () => {
    const server = new FakeServer()
    server.detail = aChat({ state: 'running', turn_id: 't1' })
    const { field } = await show(server)
    await screen.findByText('What you send joins at the next step')
    await fireEvent.keyDown(field, { key: 'Escape' })
    await waitFor(() => expect(server.done).toEqual(['POST /api/sessions/s1/stop']))
  })
})

describe('what an @ lists', () => {
  const base = { server: 'demo', description: '', mime_type: '', icons: null, annotations: null, size: null }
  const resource = (name: string, more: Partial<Resource> = {}): Resource => ({
    ...{ ...base, kind: 'resource', name, title: '', uri: `demo://${name}` },
    ...more,
  })

  it('has every page of it, and asks for the variables of a template', async () => {
    const server = new FakeServer()
    server.resources = [1, 2, 3, 4].map((n) => resource(`r${n}`))
    server.resources.push(resource('person', { kind: 'template', uri: 'demo://people/{name}' }))
    const { app, field, type } = await show(server)
    await type('See @pers')
    await screen.findByRole('option', { name: /person/ })
    await fireEvent.keyDown(field, { key: 'Enter' })
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add to the message' })
    expect(add.disabled).toBe(true)
    await fireEvent.input(screen.getByLabelText('name'), { target: { value: 'Ada L' } })
    await fireEvent.click(add)
    await screen.findByRole('button', { name: 'Take out demo://people/Ada%20L' })
    expect(app.chats.writing('s1').take()).toEqual({
      text: 'See ',
      attachments: [
        { kind: 'resource', server: 'demo', uri: 'demo://people/Ada%20L', name: 'demo://people/Ada%20L' },
      ],
    })
  })

  it('says how many more fit than are shown', async () => {
    const server = new FakeServer()
    server.resources = Array.from({ length: 41 }, (_, n) => resource(`r${n}`))
    const { type } = await show(server)
    await type('@r')
    await screen.findByText('41 resources fit, 40 are shown. Type more of the name.')
  })
})

describe('a picture that the model can’t see', () => {
  const media = { file: 'cat.png', url: '/api/mcp-media/cat.png', mime_type: 'image/png', size: 1200 }
  const why = 'Words is not set up to see pictures. Sent instead: its name, type and size.'

  it('says so before it is sent and where it was sent, for the model that is chosen now', async () => {
    const server = new FakeServer()
    server.models = [
      { name: 'Eyes', default: true, images: true },
      { name: 'Words', images: false },
    ]
    server.messages.set('', [aMessage('m1', { parts: [{ kind: 'media', name: 'Cat', media: [media] }] })])
    const { app, tell } = await show(server)
    app.chats.writing('s1').add('Cat', { kind: 'media', file: 'cat.png', name: 'Cat' }, media)
    await screen.findByRole('button', { name: 'Take out Cat' })
    expect(screen.queryAllByText(/is not set up to see/)).toEqual([])
    tell('session_changed', { session: aChat({ model: 'Words' }) })
    await waitFor(() => expect(screen.getAllByText(why, { exact: false })).toHaveLength(2))
    tell('session_changed', { session: aChat() })
    await waitFor(() => expect(screen.queryAllByText(/is not set up to see/)).toEqual([]))
  })
})

describe('the messages', () => {
  it('has what is said during an answer after it', async () => {
    const { tell, messages } = await show()
    tell('message_delta', aDelta(0, 'It is being', { message_id: 'm5' }))
    tell('message_done', {
      message: aMessage('m6', { parts: [{ kind: 'text', text: 'And another thing' }] }),
    })
    await within(messages).findByText('And another thing')
    const order = () => messages.textContent?.match(/It is being( written)?|And another thing/g)
    expect(order()).toEqual(['It is being', 'And another thing'])
    tell('message_done', { message: anAnswer('m5', [{ kind: 'text', text: 'It is being written' }]) })
    await waitFor(() => expect(order()).toEqual(['It is being written', 'And another thing']))
  })

  it('tells built-in tools in a line that opens, and what went wrong', async () => {
    const server = new FakeServer()
    const use = (id: string, name: string, over = {}) => ({
      kind: 'tool_use' as const,
      use_id: id,
      name,
      ...over,
    })
    server.messages.set('', [
      anAnswer('m1', [
        use('u1', 'search_tools', { arguments: { query: 'invoices' } }),
        use('u2', 'notify', { fault: 'The arguments are no JSON.' }),
      ]),
      aResult('m2', 'u1', { text: 'billing: find_invoice', cut: { shown: 10, total: 4000 } }),
      aResult('m3', 'u2', { text: 'The arguments are no JSON.', is_error: true }),
    ])
    const { messages } = await show(server)
    const line = within(messages).getByText('Searched tools').closest('details') as HTMLDetailsElement
    expect(within(line).getByText('“invoices”')).toBeTruthy()
    expect(within(messages).getByText('failed')).toBeTruthy()
    line.open = true
    await within(line).findByText('billing: find_invoice')
    expect(within(line).getByText('The model got 10 B of 4 KB.')).toBeTruthy()
  })

  it('shows a question of the agent where it is asked', async () => {
    const server = new FakeServer()
    server.detail = aChat({ state: 'waiting', turn_id: 't1', waiting: 1 })
    const args = { question: 'Blue or green?' }
    server.messages.set('', [
      anAnswer('m1', [{ kind: 'tool_use', use_id: 'q1', name: 'ask_user', arguments: args }]),
    ])
    const { app, messages } = await show(server)
    app.inbox.items = [
      {
        ...{
          id: 'i1',
          kind: 'question',
          server: '',
          tool: '',
          call_id: 'q1',
          call_ids: ['q1'],
          session_id: 's1',
        },
        ...{ asker: { kind: 'agent', label: 'Paint' }, message: 'Blue or green?', suggestions: ['Blue'] },
        ...{ created_at: '2026-11-30T14:00:00.000Z', deadline: null },
      },
    ]
    const card = await within(messages).findByRole('article')
    expect(within(card).getByRole('button', { name: 'Blue' })).toBeTruthy()
    expect(screen.getByText('One thing waits for you.')).toBeTruthy()
  })

  it('says why an answer failed, and tries again', async () => {
    const server = new FakeServer()
    const error = { code: 'key_refused', message: 'The provider refused the key.' }
    server.messages.set('', [aMessage('m1'), anAnswer('m2', [], { finish: 'failed', error })])
    const { messages } = await show(server)
    expect(within(messages).getByText('The provider refused the key.')).toBeTruthy()
    expect(within(messages).getByText('Open the models').closest('a')?.getAttribute('href')).toBe(
      '/settings/models',
    )
    await fireEvent.click(within(messages).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(server.done).toEqual(['POST /api/sessions/s1/retry']))
  })
})

it('says that a chat is gone', async () => {
  const { tell } = await show()
  tell('session_removed', { id: 's1' })
  await screen.findByText('This chat is gone')
})
