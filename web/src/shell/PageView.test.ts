import { render, screen, waitFor } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import { App } from './app.svelte'
import PageViewHarness from './PageViewHarness.svelte'

const trouble = 'Cannot read properties of undefined'

vi.mock('./pages', () => ({
  pages: {
    inbox: {
      title: 'Inbox',
      load: () =>
        Promise.resolve({
          default: () => {
            throw new TypeError(trouble)
          },
        }),
    },
  },
}))

function show() {
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch: vi.fn() }),
  )
  render(PageViewHarness, { app })
  return app
}

it('says what went wrong with a page', async () => {
  show()
  await waitFor(() => expect(screen.getByText(trouble)).toBeTruthy())
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

it('leaves it at a reload when the tab is of another version', async () => {
  const app = show()
  await waitFor(() => expect(screen.getByText(trouble)).toBeTruthy())
  app.live.upgradedTo = '2'
  await waitFor(() => expect(screen.getByText(/Kontor is now 2, and this tab still runs 1\./)).toBeTruthy())
  expect(screen.queryByText(trouble)).toBeNull()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual([
    'Reload this tab',
  ])
})
