import type { Locator, Page } from 'playwright-core'
import { GuardedServer } from './guardedserver'
import type { Kontor } from './kontor'
import { look } from './look'
import { heading, see } from './screen'
import { expect, test as base } from './test'
import type { Watch } from './watch'

// A server "Docs" that wants a sign-in, and the steps that the tests of it share.

export const test = base.extend('docs', { scope: 'file' }, async ({}, { onCleanup }) => {
  const docs = await GuardedServer.start()
  onCleanup(() => docs.close())
  return docs
})

interface Parts {
  docs: GuardedServer
  kontor: Kontor
  watch: Watch
}

/** Adds the server anew, as one that nobody has signed in to. */
export async function anew({ docs, kontor, watch }: Parts): Promise<void> {
  watch.allow(new RegExp(`^request to ${docs.auth.issuer}/`))
  Object.assign(docs.auth, { registers: true, renews: true, who: 'mira' })
  docs.issuers = [docs.auth.issuer]
  if ((await kontor.servers()).includes('docs')) await kontor.deleteServer('docs')
  await kontor.addServer({ name: 'docs', friendly_name: 'Docs', transport: 'http', url: docs.url })
}

/** Fails with all that is wrong with the page's looks at once. */
export async function fine(page: Page, name: string): Promise<void> {
  expect.soft(await look(page, name)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** What a link opens. */
export async function opened(page: Page, link: Locator): Promise<Page> {
  const popup = page.waitForEvent('popup')
  await link.click()
  return popup
}

/** Goes on from Kontor's page to the authorization server's, and decides there. */
export async function decide(tab: Page, decision: 'Allow' | 'Deny'): Promise<void> {
  await tab.getByRole('link', { name: 'Go to 127.0.0.1' }).click()
  await tab.getByRole('button', { name: decision }).click()
}

/** Allows it in a tab that a page opened, which closes itself then. */
export async function allowInTab(tab: Page): Promise<void> {
  const closed = tab.waitForEvent('close')
  await decide(tab, 'Allow')
  await closed
}

/** The card of the sign-in, in the inbox or in that of a call. */
export const card = (page: Page) => page.getByRole('article', { name: 'Sign in to Docs' })

/** The button that begins one, on the server's page. */
export const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })

/** The link to the authorization server, on the server's page. */
export const goOn = (page: Page) => page.getByRole('link', { name: /^Go to 127/ })

/** Signs in without looking. */
export async function signedIn(page: Page): Promise<void> {
  await page.goto('/servers/docs#sign-in')
  await see(page.getByText('needs sign-in').first())
  await page.goto('/signin/docs')
  await decide(page, 'Allow')
  await see(heading(page, 'Signed in to Docs'))
}
