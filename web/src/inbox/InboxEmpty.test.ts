import { render, screen, waitFor } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import { App } from '../shell/app.svelte'
import { serverOf } from '../servers/fixture'
import { aModel } from '../settings/fixture'
import { aTool } from '../tools/fixture'
import PageHarness from './PageHarness.svelte'
import { empty } from './testing'

/** An inbox that has nothing in it, with what the API answers at these paths. */
async function show(items: Record<string, unknown[]>) {
  const fetch = vi.fn<typeof globalThis.fetch>((url) => {
    const path = new URL(String(url), 'http://x').pathname
    const body = path === '/api/inbox' ? empty : { items: items[path] ?? [], next: null }
    return Promise.resolve(new Response(JSON.stringify(body)))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  await Promise.all([app.inbox.load(), app.servers.load(), app.tools.load()])
  render(PageHarness, { app })
}

const demo = serverOf()
const ask = aTool({ tool: 'ask_form', title: 'Ask with a form' })

it.each([
  ['without a model', [], 'Add a model', '/settings/models'],
  ['with one', [aModel()], 'Start a chat', '/chats/+new'],
])('leads on from an empty inbox %s', async (_, models, name, address) => {
  await show({ '/api/models': models, '/api/servers': [demo] })
  await waitFor(() => expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(address))
  expect(screen.getByRole('link', { name: 'Run a tool' }).getAttribute('href')).toBe('/tools')
})

it.each([
  ['the demo server alone', [demo], true],
  ['another beside it', [demo, serverOf({ name: 'mine' })], false],
  ['the demo server while it connects', [serverOf({ status: { state: 'connecting' } })], false],
])('says what to try first: with %s', async (_, servers, said) => {
  await show({ '/api/servers': servers, '/api/tools': [ask] })
  await waitFor(() => expect(screen.getByText(/Nothing waits for you/)).toBeTruthy())
  const link = screen.queryByRole('link', { name: 'Ask with a form' })
  expect(link?.getAttribute('href') ?? null).toBe(said ? '/tools/mcp__demo__ask_form' : null)
})
