import { render, screen, waitFor } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import { App } from '../shell/app.svelte'
import { aModel } from '../settings/fixture'
import PageHarness from './PageHarness.svelte'
import { empty } from './testing'

it.each([
  ['without a model', [], 'Add a model', '/settings/models'],
  ['with one', [aModel()], 'Start a chat', '/chats/+new'],
])('leads on from an empty inbox %s', async (_, models, name, address) => {
  const fetch = vi.fn<typeof globalThis.fetch>((url) => {
    const body = String(url).startsWith('/api/models') ? { items: models, next: null } : empty
    return Promise.resolve(new Response(JSON.stringify(body)))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  await app.inbox.load()
  render(PageHarness, { app })
  await waitFor(() => expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(address))
  expect(screen.getByRole('link', { name: 'Run a tool' }).getAttribute('href')).toBe('/tools')
})
