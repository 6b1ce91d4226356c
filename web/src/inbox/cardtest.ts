// A card on its own, for tests: with what it sends, and the answer that it gets.
import { render, screen } from '@testing-library/svelte'
import { vi } from 'vitest'
import { Api } from '../lib/api'
import type { Item } from '../lib/wire'
import { App } from '../shell/app.svelte'
import CardHarness from './CardHarness.svelte'
import { empty } from './testing'

export async function show(
  item: Item,
  answer: { status: number; body: unknown } = {
    status: 200,
    body: { id: item.id, action: 'accept', by: 'you', at: '' },
  },
) {
  const sent: { url: string; body: unknown }[] = []
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    if (init?.method === 'POST') {
      sent.push({ url: String(url), body: init.body ? JSON.parse(String(init.body)) : null })
      return Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status }))
    }
    return Promise.resolve(new Response(JSON.stringify({ ...empty, findings: [item] })))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  await app.inbox.load()
  const onanswered = vi.fn()
  render(CardHarness, { app, item, onanswered })
  return { sent, app, onanswered }
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name })
