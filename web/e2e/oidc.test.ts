import type { Page } from 'playwright-core'
import { opened } from './harness/docs'
import { RealAuth } from './harness/realauth'
import { gone, heading, run, see } from './harness/screen'
import { expect, test as base } from './harness/test'

// The pages and rules of an authorization server that others wrote.

const test = base.extend('real', { scope: 'file' }, async ({}, { onCleanup }) => {
  const real = await RealAuth.start()
  onCleanup(() => real.close())
  return real
})

/** Fills in oidc-provider's own pages: a name, then consent. */
async function signIn(tab: Page, account: string): Promise<void> {
  await tab.getByRole('link', { name: 'Go to 127.0.0.1' }).click()
  await tab.locator('input[name="login"]').fill(account)
  await tab.locator('input[name="password"]').fill('anything')
  await tab.locator('button[type="submit"]').click()
  await tab.getByRole('button', { name: 'Continue' }).click()
}

test('signing in at oidc-provider, signing out, and in as another', async ({ kontor, page, real, watch }) => {
  // Its pages ask for a font on the internet, which no test needs.
  await page.context().route(/^https:/, (route) => route.abort())
  watch.allow(new RegExp(`${real.issuer}/|^request to https:|ERR_FAILED`))
  await kontor.addServer({ name: 'real', friendly_name: 'Real', transport: 'http', url: real.url })
  await page.goto('/inbox')
  const card = page.getByRole('article', { name: 'Sign in to Real' })
  const tab = await opened(page, card.getByRole('link', { name: 'Sign in' }))
  const closed = tab.waitForEvent('close')
  await signIn(tab, 'ada')
  await closed
  await gone(card)

  await page.goto('/tools/mcp__real__echo')
  await page.getByRole('textbox', { name: 'message' }).fill('hello')
  await see((await run(page)).getByText('Echo: hello'))

  await page.goto('/servers/real#sign-in')
  await see(page.getByText('signed in', { exact: true }), page.getByText('ada', { exact: true }))
  await page.getByRole('button', { name: 'Sign out…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await see(page.getByText('signed out', { exact: true }).first())

  await page.context().clearCookies({ name: /^_(session|interaction)/ }) // oidc-provider still knows ada
  await page.goto('/signin/real')
  await signIn(page, 'bob')
  await see(heading(page, 'Signed in to Real'), page.getByText('bob', { exact: true }))
  await page.goto('/servers/real#sign-in')
  await see(page.getByText('bob', { exact: true }))
  expect(await page.getByText('ada', { exact: true }).count()).toBe(0)
})
