import type { Locator } from 'playwright-core'
import { beforeEach } from 'vitest'
import {
  allowInTab,
  anew,
  card,
  decide,
  fine,
  goOn,
  opened,
  signedIn,
  signInButton,
  test,
} from './harness/docs'
import { gone, heading, loaded, run, see } from './harness/screen'
import { expect, unreachable } from './harness/test'

beforeEach(anew)

/** The page of a call, of which a card is shown. */
async function pageOf(call: Locator): Promise<string> {
  return `/activity/${await call.getAttribute('data-call')}`
}

test('a server that needs a sign-in: the item, the tab, the way back, the tool', async ({ open, page }) => {
  await page.goto('/inbox')
  await see(card(page))
  await fine(page, 'signin-item')
  const { page: other } = await open()
  await other.goto('/servers/docs#sign-in')
  await see(other.getByText('needs sign-in').first())

  const tab = await opened(page, card(page).getByRole('link', { name: 'Sign in' }))
  await see(heading(tab, 'Sign in to Docs'), tab.getByText('read', { exact: true }))
  await fine(tab, 'signin-page')
  await see(card(page).getByText('Waiting for the sign-in tab.'))
  await see(other.getByText('Waiting for the sign-in tab.'))
  await fine(page, 'signin-waiting')
  const closed = tab.waitForEvent('close')
  await decide(tab, 'Allow')
  await see(page.getByText('is done.'))
  await gone(card(page))
  await closed
  await see(other.getByText('signed in', { exact: true }), other.getByText('mira', { exact: true }))

  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
})

test('an answer that can’t come back is pasted; signing out revokes', async ({ docs, page, watch }) => {
  await signedIn(page)
  await page.goto('/servers/docs#sign-in')
  await see(page.getByText('signed in', { exact: true }))
  await fine(page, 'signin-tab-signed-in')
  await page.getByRole('button', { name: 'Sign out…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out of Docs?' })
  await see(dialog)
  await fine(page, 'signin-sign-out')
  const before = docs.auth.revoked
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await gone(dialog)
  await see(page.getByText('signed out', { exact: true }).first())
  expect(docs.auth.revoked).toBeGreaterThan(before)
  await fine(page, 'signin-tab-signed-out')

  await signInButton(page).click()
  await see(page.getByText('You go on at'))
  await fine(page, 'signin-tab-address')
  // A browser on another machine doesn't reach Kontor at the address that it is sent to.
  let address = ''
  await page.context().route('**/decide?*', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 })
    address = answer.headers()['location'] ?? ''
    await route.fulfill({ contentType: 'text/html', body: 'Nobody answers here' })
  })
  const tab = await opened(page, goOn(page))
  await tab.getByRole('button', { name: 'Allow' }).click()
  await see(tab.getByText('Nobody answers here'))
  await see(page.getByText('Waiting for the sign-in tab.'))
  await page.getByRole('button', { name: 'Paste the address instead' }).click()
  const field = page.getByLabel('Address that the browser ended at')
  watch.allow(/console: Failed to load resource.* (404|422) /)
  await field.fill(`${docs.auth.issuer}/authorize`)
  await page.getByRole('button', { name: 'Finish sign-in' }).click()
  await see(page.getByText(/not the address that the browser ended at/))
  await fine(page, 'signin-tab-paste')
  await field.fill(address)
  await page.getByRole('button', { name: 'Finish sign-in' }).click()
  await see(page.getByText('signed in', { exact: true }))
  await gone(field)
})

test('given up in one tab, it is over in the other', async ({ open, page }) => {
  const { page: other } = await open()
  await other.goto('/servers')
  await see(other.getByRole('link', { name: 'Sign in' }))
  await fine(other, 'signin-servers')
  await page.goto('/servers/docs#sign-in')
  await fine(page, 'signin-tab-needs')
  await signInButton(page).click()
  await see(other.getByRole('link', { name: 'See the sign-in under way' }))
  await other.getByRole('link', { name: 'See the sign-in under way' }).click()
  await see(other.getByText('It was opened from another page or tab.'))
  await fine(other, 'signin-tab-elsewhere')
  await expect.poll(() => goOn(page).evaluate((link) => link === document.activeElement)).toBe(true)
  await other.getByRole('button', { name: 'Cancel' }).click()
  await see(signInButton(page))
  await gone(page.getByText('You go on at'))
})

test('who denies reads so, and can start again', async ({ open, page, watch }) => {
  watch.allow(/console: Failed to load resource.* 403 .*error=access_denied/)
  await page.goto('/inbox')
  const tab = await opened(page, card(page).getByRole('link', { name: 'Sign in' }))
  await decide(tab, 'Deny')
  await see(heading(tab, 'Not signed in'), tab.getByText(/declined/))
  await fine(tab, 'signin-denied')
  await see(card(page).getByRole('link', { name: 'Sign in' }), card(page).getByText(/declined/))
  await fine(page, 'signin-denied-item')
  const { page: other } = await open()
  await other.goto('/servers/docs#sign-in')
  await see(other.getByText('The last sign-in didn’t work.'), other.getByText(/declined/))
  await fine(other, 'signin-denied-tab')

  await tab.getByRole('link', { name: 'Try again' }).click()
  await gone(card(page).getByText(/declined/))
  await allowInTab(tab)
  await gone(card(page))
  await see(other.getByText('signed in', { exact: true }))
  await gone(other.getByText(/declined/))
})

test('the tab closes itself unless it is used, or the browser keeps it', async ({ page }) => {
  // It never gets to the end by itself.
  await page.context().addInitScript(() => (window.setInterval = (() => 0) as never))
  await page.goto('/servers/docs#sign-in')
  await signInButton(page).click()
  const tab = await opened(page, goOn(page))
  await tab.getByRole('button', { name: 'Allow' }).click()
  await see(heading(tab, 'Signed in to Docs'), tab.getByText('mira'))
  await see(tab.getByText('This tab closes by itself in 5 s.'))
  await fine(tab, 'signin-done')
  await tab.getByRole('button', { name: 'Keep this tab open' }).click()
  await see(tab.getByText('You can close this tab.'))
  await gone(tab.getByText(/closes by itself/))
  expect(await tab.evaluate(() => document.activeElement?.textContent)).toBe('Open the server’s page')
})

test('a tab that no page opened says that it stays', async ({ page }) => {
  await page.goto('/signin/docs?tab=own')
  await decide(page, 'Allow')
  await see(page.getByText('Your browser doesn’t let a page close this tab. You can close it.'))
  await fine(page, 'signin-done-stays')
})

test('in as another, the one before is revoked', async ({ docs, page }) => {
  await signedIn(page)
  const before = docs.auth.revoked
  docs.auth.who = 'bob'
  await page.goto('/servers/docs#sign-in')
  await see(page.getByText('mira', { exact: true }))
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const tab = await opened(page, goOn(page))
  await tab.getByRole('button', { name: 'Allow' }).click()
  await see(page.getByText('bob', { exact: true }))
  await expect.poll(() => docs.auth.revoked - before).toBe(2)
  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
})

test('after a sign-out and a restart Kontor still asks as whom', async ({ kontor, page, watch }) => {
  watch.allow(unreachable)
  await signedIn(page)
  await page.goto('/servers/docs#sign-in')
  await page.getByRole('button', { name: 'Sign out…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await see(page.getByText('signed out', { exact: true }).first())
  await kontor.down()
  await kontor.up()
  await page.goto('/servers/docs#sign-in')
  await see(page.getByText('signed out', { exact: true }).first())
  await page.goto('/signin/docs')
  await see(page.getByText('You have signed out.'))
  const way = await page.getByRole('link', { name: 'Go to 127.0.0.1' }).getAttribute('href')
  expect(new URL(way ?? '').searchParams.get('prompt')).toBe('login')
})

test('a sign-in that ends while a call runs', async ({ docs, page }) => {
  await signedIn(page)
  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
  docs.auth.renews = false
  docs.auth.access.clear()
  const ended = await run(page)
  await see(ended.getByText('The server needs a sign-in.'))
  await page.goto(await pageOf(ended))
  await see(page.getByText('The server needs a sign-in.'))
  await fine(page, 'signin-expired-call')
  const tab = await opened(page, page.getByRole('link', { name: 'Sign in to Docs' }))
  docs.auth.renews = true
  await see(tab.getByText(/expired/))
  await fine(tab, 'signin-page-expired')
  await allowInTab(tab)
  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
})

test('a call that needs one more right waits for it', async ({ page }) => {
  await signedIn(page)
  await page.goto('/tools/mcp__docs__write')
  const call = await run(page)
  await see(call.getByText('waiting for you'), card(page), card(page).getByText('one more right'))
  await page.goto(await pageOf(call))
  await see(card(page))
  await fine(page, 'signin-step-up-call')
  await page.goto('/servers/docs')
  await see(page.getByRole('link', { name: 'Sign in' }))
  await fine(page, 'signin-step-up-overview')
  await page.goto('/servers/docs#sign-in')
  await see(page.getByText('wanted too'))
  await fine(page, 'signin-tab-step-up')
  await page.goto('/inbox')
  await see(card(page).getByText(/“write” needs/), card(page).getByText(/all that you can change there/))
  await fine(page, 'signin-step-up-item')
  const tab = await opened(page, card(page).getByRole('link', { name: 'Sign in' }))
  await see(tab.getByText('as before'))
  await fine(tab, 'signin-page-step-up')
  await allowInTab(tab)
  await gone(card(page))
  await page.goto('/tools/mcp__docs__write')
  await see(page.getByRole('region', { name: 'Results' }).getByText('written with read write'))
})

test('“Not now” ends the call that waits for a right, and nothing else', async ({ page }) => {
  await signedIn(page)
  await page.goto('/tools/mcp__docs__write')
  const call = await run(page)
  await card(page).getByRole('button', { name: 'Not now' }).click()
  await see(call.getByText('The sign-in has too few rights.'))
  await gone(card(page))
  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
})

test('an item without script says why, and leads to the sign-in', async ({ page }) => {
  await page.goto('/inbox')
  const item = await card(page).getAttribute('data-item')
  await page.goto(`/inbox/${item}`)
  await see(page.getByRole('link', { name: 'Sign in' }))
  await fine(page, 'signin-plain-item')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await decide(page, 'Allow')
  await see(heading(page, 'Signed in to Docs'))
  await page.goto(`/inbox/${item}`)
  await see(page.getByRole('status'))
  await fine(page, 'signin-plain-item-done')
})

test('no token is shown anywhere', async ({ docs, kontor, page }) => {
  await signedIn(page)
  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
  const texts = [await kontor.serverLog('docs')]
  for (const path of [
    '/api/servers',
    '/api/calls',
    '/api/inbox',
    '/api/servers/docs/trace',
    '/api/servers/docs/log',
  ])
    texts.push(await (await kontor.fetch(path)).text())
  for (const path of [
    '/servers/docs#sign-in',
    '/servers/docs#trace',
    '/servers/docs#log',
    '/servers/docs#settings',
  ]) {
    await page.goto(path)
    await loaded(page)
    texts.push(await page.content())
  }
  expect(docs.auth.given.length).toBeGreaterThan(2)
  for (const token of docs.auth.given) expect(texts.filter((text) => text.includes(token))).toEqual([])
})
