import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import { App } from '../shell/app.svelte'
import PageHarness from './PageHarness.svelte'
import { elicitation, empty } from './testing'

async function show() {
  const sent: string[] = []
  const elicitations = ['a', 'bb', 'ccc'].map((id) => elicitation(id, { message: `Question ${id}?` }))
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    if (init?.method !== 'POST')
      return Promise.resolve(new Response(JSON.stringify({ ...empty, elicitations })))
    const id = String(url).split('/')[4] ?? ''
    const { action } = JSON.parse(String(init.body)) as { action: string }
    sent.push(`${id} ${action}`)
    return Promise.resolve(new Response(JSON.stringify({ id, action, by: 'you', at: '' })))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  await app.inbox.load()
  render(PageHarness, { app })
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
  /** The item and the button that have the focus: "a No". */
  const focused = () => {
    const { activeElement } = document
    const item = activeElement?.closest('[data-item]')?.getAttribute('data-item') ?? 'none'
    return `${item} ${activeElement?.textContent?.trim().split(/\s/)[0] ?? ''}`
  }
  return { app, sent, press, focused }
}

it('takes the focus to the safe answer, in the order shown', async () => {
  const { press, focused } = await show()
  for (const [key, want] of [
    ['j', 'a No'],
    ['j', 'bb No'],
    ['j', 'ccc No'],
    ['j', 'ccc No'],
    ['k', 'bb No'],
  ] as const) {
    await press(key)
    await waitFor(() => expect(focused()).toBe(want))
  }
})

it('answers only the card that has the focus, then goes on to the next', async () => {
  const { press, focused, sent } = await show()
  await press('a')
  await waitFor(() => expect(focused()).toBe('a No'))
  expect(sent).toEqual([])
  await press('a')
  await waitFor(() => expect(focused()).toBe('bb No'))
  expect(sent).toEqual(['a accept'])
  await press('d')
  await waitFor(() => expect(focused()).toBe('ccc No'))
  expect(sent).toEqual(['a accept', 'bb decline'])
})

it('does not answer another card when the one with the focus has just left', async () => {
  const { app, press, focused, sent } = await show()
  await press('j')
  await press('j')
  await waitFor(() => expect(focused()).toBe('bb No'))
  app.inbox.items = app.inbox.items?.filter(({ id }) => id !== 'bb') ?? null
  await waitFor(() => expect(screen.queryByText('Question bb?')).toBeNull())
  await press('a')
  await waitFor(() => expect(focused()).toBe('a No'))
  expect(sent).toEqual([])
})
