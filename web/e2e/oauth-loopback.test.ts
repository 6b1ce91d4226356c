import { beforeEach } from 'vitest'
import { allowInTab, anew, card, fine, opened, test } from './harness/docs'
import { gone, heading, run, see } from './harness/screen'
import { expect } from './harness/test'

beforeEach(anew)

// Authorization servers send a browser back by plain http to its own machine only.
// There a listener of Kontor's takes it on.
test('at a name in the network the browser comes back by its own machine', async ({ docs, kontor, open }) => {
  const base = kontor.url.replace('127.0.0.1', 'nas.test')
  const kept = await kontor.fetch('/api/settings', {
    method: 'PATCH',
    body: JSON.stringify({ base_url: base }),
  })
  expect(kept.status).toBe(200)
  const { page, watch } = await open({ signedOut: true, baseURL: base })
  const listener = 'http://127.0.0.1:334'
  // Browsers isolate only what comes by https or from their own machine, and say so.
  watch.allow(new RegExp(`^request to (${base}|${docs.auth.issuer}|${listener})|Cross-Origin-Opener-Policy`))
  const { pathname, search } = new URL(await kontor.newLink())
  await page.goto(base + pathname + search)
  await page.goto(`${base}/inbox`)

  const asked: string[] = []
  page.context().on('request', (request) => asked.push(request.url()))
  const tab = await opened(page, card(page).getByRole('link', { name: 'Sign in' }))
  await see(heading(tab, 'Sign in to Docs'), tab.getByText(/http:\/\/127\.0\.0\.1:334\d\d\/callback/))
  await fine(tab, 'signin-page-loopback')
  await allowInTab(tab)
  await gone(card(page))
  expect(asked.filter((url) => url.startsWith(`${base}/oauth/callback?`))).toHaveLength(1)
  const back = asked.find((url) => url.startsWith(listener)) ?? ''
  expect(back).toMatch(/:334\d\d\/callback\?/)
  await expect(fetch(back), 'nobody listens any more').rejects.toThrow()

  await page.goto(`${base}/tools/mcp__docs__whoami`)
  await see((await run(page)).getByText('mira with read'))
})
