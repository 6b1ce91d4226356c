import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import type { Auth, SignInItem } from '../lib/wire'
import { authOf, serverOf } from '../servers/fixture'
import { App } from '../shell/app.svelte'
import CardHarness from './CardHarness.svelte'
import { signIn } from './testing'

const soon = () => new Date(Date.now() + 600_000).toISOString()

function show(item: SignInItem, auth: Partial<Auth> = {}, answer = { status: 200, detail: '' }) {
  const sent: { url: string; body: unknown }[] = []
  const of = (auth: Partial<Auth>) =>
    serverOf({ transport: 'http', friendly_name: 'Docs', status: { auth: authOf(auth) } })
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    sent.push({ url: String(url), body: init?.body ? JSON.parse(String(init.body)) : null })
    const body = answer.detail ? { code: 'not_found', detail: answer.detail } : of({})
    return Promise.resolve(new Response(JSON.stringify(body), { status: answer.status }))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  app.servers.put(of(auth))
  const onanswered = vi.fn()
  render(CardHarness, { app, item, onanswered })
  const follow = async (auth: Partial<Auth>) => {
    app.servers.put(of(auth))
    await tick()
  }
  return { sent, follow, onanswered }
}

const button = (name: string) => screen.getByRole('button', { name })
const link = (name: string) => screen.getByRole('link', { name })

it('says why, and leads to the page in a tab of its own', () => {
  show(signIn('a', { message: 'docs.example asks for a sign-in.' }))
  expect(screen.getByRole('heading', { name: 'Sign in to Docs' })).toBeTruthy()
  expect(screen.getByText(/^docs\.example asks/i)).toBeTruthy()
  const way = link('Sign in')
  expect(way.getAttribute('href')).toBe('/signin/demo?tab=own')
  expect(way.getAttribute('target')).toBe('_blank')
  expect(way.getAttribute('rel')).toContain('noopener')
})

it('has no key for signing in, and another safe choice', () => {
  show(signIn('a'))
  expect(document.querySelector('[data-action=accept]')).toBeNull()
  expect(document.querySelector('[data-safe]')).toBe(link('Open its page'))
})

it('names the call that waits, the right that it lacks and those that are there', async () => {
  const { sent, onanswered } = show(
    signIn('a', {
      ...{ reason: 'more_rights', tool: 'write', call_id: 'c', call_ids: ['c'] },
      scopes: ['read', 'write'],
    }),
    {
      state: 'signed_in',
      account: 'mira',
      scopes: ['read'],
      step_up: ['read', 'write'],
      scope_words: { write: 'change all' },
    },
  )
  expect(screen.getByText('one more right')).toBeTruthy()
  expect(screen.getByText('“write” needs to be allowed to')).toBeTruthy()
  expect(screen.getByRole('listitem').textContent).toBe('change all (write)')
  expect(screen.getByText(/You are signed in/).textContent).toMatch(/as mira with read\./)
  expect(document.querySelector('[data-safe]')).toBe(button('Not now'))
  await fireEvent.click(button('Not now'))
  await waitFor(() => expect(onanswered).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ url: '/api/servers/demo/sign-in/cancel', body: null }])
})

it('waits for the tab, wherever it was opened, until it is given up', async () => {
  const { follow, sent } = show(signIn('a'))
  await follow({ pending_until: soon() })
  expect(screen.getByRole('status').textContent).toBe('Waiting for the sign-in tab.')
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
  await fireEvent.click(button('Cancel'))
  await waitFor(() => expect(link('Sign in')).toBeTruthy())
  await waitFor(() => expect(document.activeElement).toBe(link('Open its page')))
  expect(sent).toEqual([{ url: '/api/servers/demo/sign-in/cancel', body: null }])
})

it('takes the address instead, and says in words what is wrong with it', async () => {
  const answer = { status: 404, detail: 'No sign-in waits for this answer.' }
  const { sent } = show(signIn('a'), { pending_until: soon() }, answer)
  await fireEvent.click(button('Paste the address instead'))
  await fireEvent.click(button('Finish sign-in'))
  expect(screen.getByText('Paste the address first.')).toBeTruthy()
  expect(sent).toEqual([])
  const field = screen.getByLabelText('Address that the browser ended at')
  await fireEvent.input(field, { target: { value: ' http://x/cb?code=c&state=s ' } })
  await fireEvent.click(button('Finish sign-in'))
  await waitFor(() => expect(screen.getByText(answer.detail)).toBeTruthy())
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([
    { url: '/api/servers/demo/sign-in/callback', body: { url: 'http://x/cb?code=c&state=s' } },
  ])
})

it('says that the last sign-in failed, and no longer when another is under way', async () => {
  const failed = 'as.example: the sign-in was declined'
  const { follow } = show(signIn('a'), { failed })
  expect(screen.getByText('The last sign-in didn’t work.')).toBeTruthy()
  expect(screen.getByText(/declined\.$/)).toBeTruthy()
  await follow({ failed, pending_until: soon() })
  expect(screen.queryByText(/declined/)).toBeNull()
})

it('knows a term of the server’s by its name only, whatever that is', () => {
  show(signIn('a', { reason: 'more_rights', scopes: ['constructor'] }), { state: 'signed_in' })
  expect(screen.getByRole('listitem').textContent).toBe('constructor (the server’s own term)')
})

it('leads to the settings where their token is refused', () => {
  show(signIn('a', { reason: 'token_refused' }))
  expect(link('Open its settings').getAttribute('href')).toBe('/servers/demo#settings')
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
})
