import { fireEvent, screen, waitFor } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import type { Claim } from '../lib/wire'
import { button, show } from './cardtest'
import { approval, notification, question } from './testing'

describe('an approval', () => {
  it('shows what will run, who asks and where', async () => {
    await show(
      approval('a', {
        ...{ arguments: { command: 'sudo rm -rf /srv', host: 'nas-2' }, reason: 'no rule fits' },
        ...{
          session_id: 's1',
          asker: { kind: 'agent', label: 'Kontor' },
          agent: 'night',
          notes: ['“3” became 3'],
        },
      }),
    )
    expect(screen.getByRole('heading', { name: 'Run a command' })).toBeTruthy()
    expect(screen.getByText('run_command')).toBeTruthy()
    expect(screen.getByText('sudo rm -rf /srv').className).toContain('cmd')
    expect(screen.getByText('nas-2')).toBeTruthy()
    expect(screen.getByText('may destroy')).toBeTruthy()
    expect(screen.getByText(/No rule fits\./).textContent).toContain('night')
    expect(screen.getByText('“3” became 3')).toBeTruthy()
    const chat = screen.getByRole('link', { name: 'for a chat' })
    expect(chat.getAttribute('href')).toBe('/chats/s1')
  })

  it.each([
    ['Approve once', { action: 'approve', scope: 'once' }],
    ['Approve for this chat', { action: 'approve', scope: 'session' }],
    ['Always allow this tool', { action: 'approve', scope: 'always' }],
    ['Reject', { action: 'reject' }],
  ])('%s', async (name, body) => {
    const { sent, onanswered } = await show(approval('a', { session_id: 's1', asker: { kind: 'agent' } }))
    await fireEvent.click(button(name))
    await waitFor(() => expect(onanswered).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ url: '/api/inbox/approvals/a/resolve', body }])
  })

  it('says what an approval for a chat covers', async () => {
    await show(approval('a', { session_id: 's1', asker: { kind: 'agent', label: 'Kontor' } }))
    expect(screen.getByText(/“For this chat” covers this tool, with any arguments\.$/)).toBeTruthy()
  })

  it('lets nothing that goes further look more harmless', async () => {
    await show(approval('a', { session_id: 's1', asker: { kind: 'agent', label: 'Kontor' } }))
    for (const name of ['Approve once', 'Approve for this chat', 'Always allow this tool'])
      expect(button(name).className).toContain('btn-bad')
  })

  it('offers a chat only where there is one', async () => {
    await show(approval('a'))
    expect(screen.queryByRole('button', { name: 'Approve for this chat' })).toBeNull()
  })

  it('allows what changes this machine for once only, and says so', async () => {
    const claims: Claim[] = [{ kind: 'spares', words: 'says it destroys nothing' }]
    const own = { server: 'config', tool: 'register_mcp', claims }
    await show(approval('a', { once_only: true, session_id: 's1', ...own }))
    expect(screen.queryByText(/destroys/)).toBeNull()
    expect(button('Approve once').className).toContain('btn-bad')
    expect(screen.queryByRole('button', { name: /Always|chat/ })).toBeNull()
    expect(screen.getByText('This changes what your machine runs.')).toBeTruthy()
    expect(screen.getByText('Kontor')).toBeTruthy()
  })

  it('offers no rule for a tool whose name would stand for others, too', async () => {
    await show(approval('a', { tool: 'read_*', session_id: 's1' }))
    expect(button('Approve for this session')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Always|More ways/ })).toBeNull()
  })

  it('takes a note along with a rejection, and only with that', async () => {
    const { sent } = await show(approval('a'))
    await fireEvent.click(button('Add a note'))
    const field = screen.getByLabelText(/Why not/)
    await waitFor(() => expect(document.activeElement).toBe(field))
    await fireEvent.input(field, { target: { value: ' Not on Fridays. ' } })
    await fireEvent.click(button('Reject'))
    await waitFor(() => expect(sent[0]?.body).toEqual({ action: 'reject', note: 'Not on Fridays.' }))
  })

  const reads: Claim[] = [{ kind: 'reads', words: 'only reads' }]
  const destroys: Claim[] = [{ kind: 'destroys', words: 'may destroy' }]
  const silent: Claim[] = [{ kind: 'silent', words: 'doesn’t say what it does' }]
  const spares: Claim[] = [{ kind: 'spares', words: 'says it destroys nothing' }]
  const changed = { old: { description: 'a' }, new: { description: 'b' }, at: '2026-11-30T13:00:00.000Z' }
  it.each([
    ['by word of a stranger', { claims: reads }, 'btn', 'only reads'],
    ['by word of a trusted server', { claims: reads, trusted: true }, 'btn-main', 'only reads'],
    [
      'but not what it was',
      { claims: reads, trusted: true, definition_changed: changed },
      'btn',
      'only reads',
    ],
    ['also says it destroys', { claims: [...reads, ...destroys], trusted: true }, 'btn-bad', 'only reads'],
    ['its word', { claims: destroys, trusted: true }, 'btn-bad', 'may destroy'],
    ['no word', { claims: silent, trusted: true }, 'btn', 'doesn’t say what it does'],
    ['destroys nothing', { claims: spares }, 'btn', 'says it destroys nothing'],
  ])(
    'is filled only where it just reads, red only where it may destroy: %s',
    async (_, more, look, badge) => {
      await show(approval('a', more))
      const looks = button('Approve once').className.split(' ')
      expect(looks.filter((name) => /^btn(-main|-bad)?$/.test(name)).at(-1)).toBe(look)
      expect(screen.getByText(badge)).toBeTruthy()
      expect(document.querySelector('[data-safe]')).toBe(button('Reject'))
    },
  )

  it('shows what changed in the tool, invisible characters written out', async () => {
    const now = { description: 'Reads\u200b mail' }
    await show(approval('a', { definition_changed: { ...changed, new: now } }))
    expect(screen.getByText(/^The tool was changed by its server/)).toBeTruthy()
    expect(screen.getByRole('region', { name: /What changed/ }).textContent).toContain('‹U+200B›')
  })

  it('warns of characters that can’t be seen', async () => {
    await show(approval('a', { arguments: { file: 'a\u202egpj.exe' }, title: 'Open\u200b it' }))
    expect(screen.getByText('a‹U+202E›gpj.exe')).toBeTruthy()
    expect(screen.getByText('There are characters in it that can’t be seen.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Open‹U+200B› it' })).toBeTruthy()
  })

  it('covers a secret until asked', async () => {
    await show(approval('a', { arguments: { password: 'hunter2' } }))
    expect(screen.queryByText('hunter2')).toBeNull()
    await fireEvent.click(button('Show password'))
    expect(screen.getByText('hunter2')).toBeTruthy()
  })

  it('says why an answer did not arrive, and keeps the note', async () => {
    const { app } = await show(approval('a'), {
      status: 500,
      body: { code: 'internal', detail: 'The disk is full.' },
    })
    app.inbox.words('a').text = 'why'
    await fireEvent.click(button('Approve once'))
    await waitFor(() => expect(screen.getByText('The disk is full.')).toBeTruthy())
    expect(app.inbox.words('a').text).toBe('why')
  })
})

describe('a question', () => {
  it('is answered by a suggestion', async () => {
    const { sent } = await show(question('a', { suggestions: ['Monday', 'Friday'] }))
    await fireEvent.click(button('Friday'))
    await waitFor(() =>
      expect(sent[0]).toEqual({
        url: '/api/inbox/questions/a/resolve',
        body: { action: 'answer', text: 'Friday' },
      }),
    )
  })

  it('is answered in one’s own words, not with none', async () => {
    const { sent, onanswered } = await show(question('a'))
    await fireEvent.click(button('Answer'))
    const field = screen.getByLabelText('Your answer')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(sent).toEqual([])
    await fireEvent.input(field, { target: { value: 'Sunday' } })
    await fireEvent.click(button('Answer'))
    await waitFor(() => expect(onanswered).toHaveBeenCalledOnce())
    expect(sent[0]?.body).toEqual({ action: 'answer', text: 'Sunday' })
  })

  it('may be declined', async () => {
    const { sent } = await show(question('a'))
    await fireEvent.click(button('Decline'))
    await waitFor(() => expect(sent[0]?.body).toEqual({ action: 'decline' }))
  })
})

it('a notification has its first line for a title and leaves when dismissed', async () => {
  const { sent, onanswered } = await show(notification('a', { message: 'nas-2 is full\nIt holds 87 %.' }))
  expect(screen.getByRole('heading', { name: 'nas-2 is full' })).toBeTruthy()
  expect(screen.getByText('It holds 87 %.')).toBeTruthy()
  await fireEvent.click(button('Dismiss'))
  await waitFor(() => expect(onanswered).toHaveBeenCalledOnce())
  expect(sent[0]?.url).toBe('/api/inbox/notifications/a/dismiss')
})
