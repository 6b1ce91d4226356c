import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { approval, elicitation, empty } from '../inbox/testing'
import { Api } from '../lib/api'
import { parseJson } from '../lib/json'
import type { Call } from '../lib/wire'
import { App } from '../shell/app.svelte'
import { aCall } from '../state/fake-call'
import { aTool } from '../tools/fixture'
import CardHarness from './CardHarness.svelte'

const ended_at = '2026-11-30T14:00:00.420Z'
const done = (over: Partial<Call> = {}) => aCall({ state: 'done', ended_at, ...over })
const text = (value: string) => [{ kind: 'text', text: value }]

async function show(call: Call, answers: Record<string, unknown> = {}, open = true) {
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    const key = `${init?.method ?? 'GET'} ${String(url)}`
    const known = { 'GET /api/tools': { items: [aTool({ title: 'Echo' })], next: null }, ...answers }
    const body = (known as Record<string, unknown>)[key]
    return Promise.resolve(
      body === undefined
        ? new Response('{"code":"not_found","detail":"It is gone."}', { status: 404 })
        : new Response(JSON.stringify(body)),
    )
  })
  const boot = { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } } as const
  const app = new App(boot as unknown as App['boot'], new Api({ signedOut: vi.fn(), fetch }))
  await Promise.all([app.tools.load(), app.inbox.load()])
  const { rerender } = render(CardHarness, { app, call, open })
  return { app, fetch, rerender }
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })

it('is one line while it is closed: title, telling argument, time', async () => {
  await show(done({ arguments: { text: 'hello' }, content: text('hello') }), {}, false)
  expect(screen.getByText('Echo')).toBeTruthy()
  expect(screen.getByText('hello').className).toContain('arg')
  expect(screen.getByText('0.42 s')).toBeTruthy()
  expect(screen.queryByText('Arguments')).toBeNull()
})

it('shows exact numbers as a table, and lets text be chosen instead', async () => {
  const structured = parseJson('{"rows":[{"id":9007199254740993,"total":1284.00}]}')
  await show(done({ structured, content: text('one row') }))
  expect(screen.getByRole('cell', { name: '9007199254740993' })).toBeTruthy()
  expect(screen.getByRole('cell', { name: '1284.00' })).toBeTruthy()
  await fireEvent.click(button('Text'))
  expect(screen.getByText('one row')).toBeTruthy()
})

it('says when nothing was returned', async () => {
  await show(done())
  expect(screen.getByText(/^Returned nothing/)).toBeTruthy()
})

it('notes text where data was promised, but not at an error', async () => {
  const tools = { items: [aTool({ output_schema: { type: 'object' } })], next: null }
  const promise = { 'GET /api/tools': tools }
  const { app, rerender } = await show(done({ content: text('7') }), promise)
  expect(screen.getByText('7')).toBeTruthy()
  expect(screen.getByText('The tool promises data, but sent text alone.')).toBeTruthy()
  await rerender({ app, call: done({ is_error: true, content: text('no luck') }) })
  expect(screen.getByText('no luck')).toBeTruthy()
  expect(screen.queryByText(/promises data/)).toBeNull()
})

it('tells a tool’s own error from a call that got no answer', async () => {
  const { app, rerender } = await show(done({ is_error: true, content: text('not found at v4.1.6') }))
  expect(screen.getByText('The tool says that it failed:')).toBeTruthy()
  const error = { code: 'outcome_unknown', message: 'the connection broke' }
  await rerender({ app, call: aCall({ state: 'unknown', ended_at, error }) })
  expect(screen.getByText('Outcome unknown.')).toBeTruthy()
  expect(screen.getByText(/never sends a call twice by itself/)).toBeTruthy()
})

it('asks the person in place, whichever of several calls it was', async () => {
  const item = elicitation('a', { message: 'Go on?', call_id: null, call_ids: ['c1', 'c2'] })
  await show(
    aCall({ state: 'waiting_input' }),
    { 'GET /api/inbox': { ...empty, elicitations: [item] } },
    false,
  )
  expect(screen.getByText('waiting for you')).toBeTruthy()
  expect(button('Yes')).toBeTruthy()
  expect(screen.getByText(/2 calls of this server run/)).toBeTruthy()
})

it('says once what an agent’s call waits for, and leaves the stop to the chat', async () => {
  const asker = { kind: 'agent', label: 'Assistant' }
  const item = approval('a', { title: 'Echo', call_id: 'c1', call_ids: ['c1'], asker, session_id: 's1' })
  const inbox = { 'GET /api/inbox': { ...empty, approvals: [item] } }
  await show(aCall({ state: 'waiting_approval', asker }), inbox)
  expect(button('Reject')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Echo' }).className).toContain('vh')
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  expect(screen.queryByText(/^Paused/)).toBeNull()
})

it('shows progress and stops at the server', async () => {
  const progress = { progress: 31, total: 50, message: 'Batch 31 of 50' }
  const { fetch } = await show(aCall({ progress }), {
    'POST /api/calls/c1/cancel': done({ state: 'cancelled' }),
  })
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('62')
  await fireEvent.click(button('Stop'))
  await waitFor(() =>
    expect(fetch).toHaveBeenCalledWith('/api/calls/c1/cancel', expect.objectContaining({ method: 'POST' })),
  )
})

it('reads what a list left out, and says so when that fails', async () => {
  const { fetch } = await show(done({ cut: true }))
  await waitFor(() => expect(screen.getByText('The whole call could not be read.')).toBeTruthy())
  expect(fetch).toHaveBeenCalledWith('/api/calls/c1', expect.anything())
})

it('draws nothing of a stranger’s as markup, and links to no odd scheme', async () => {
  const content = [
    { kind: 'text', text: '<img src=x onerror=alert(1)>' },
    { kind: 'link', uri: 'javascript:alert(1)', name: 'report' },
    { kind: 'unknown', raw: { type: 'hologram' } },
  ]
  await show(done({ content }))
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.queryByRole('link', { name: /Open/ })).toBeNull()
  expect(screen.getByText(/“hologram”, which Kontor can’t draw/)).toBeTruthy()
})
