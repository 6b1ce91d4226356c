import type { Locator, Page } from 'playwright-core'
import { expect } from './test'

/** Waits until a person sees it. */
export async function see(...what: Locator[]): Promise<void> {
  for (const locator of what) await locator.first().waitFor({ state: 'visible' })
}

/** Waits until a person sees it without scrolling. */
export async function inView(what: Locator): Promise<void> {
  const share = () =>
    what.first().evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const observer = new IntersectionObserver(([entry]) => {
            observer.disconnect()
            resolve(entry?.intersectionRatio ?? 0)
          })
          observer.observe(element)
        }),
    )
  await expect.poll(share).toBeGreaterThan(0.9)
}

/** Waits until no one sees it any more. */
export async function gone(locator: Locator): Promise<void> {
  await locator.first().waitFor({ state: 'hidden' })
}

/** The title of the page that is open. */
export function heading(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 1, name, exact: true })
}

/** Opens the form of a tool of the demo server. */
export async function openTool(page: Page, tool: string): Promise<Locator> {
  await page.goto(`/tools/mcp__demo__${tool}`)
  const form = page.getByRole('region', { name: 'Arguments' })
  await see(form)
  return form
}

/** Presses Run, and returns the card of that run. */
export async function run(page: Page): Promise<Locator> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/tools/call'))
  const form = page.getByRole('region', { name: 'Arguments' })
  await form.getByRole('button', { name: /^Run/ }).click()
  const { id } = (await (await answer).json()) as { id: string }
  const card = page.getByRole('region', { name: 'Results' }).locator(`[data-call="${id}"]`)
  await see(card)
  return card
}

/** The card of a question in the inbox. */
export function question(page: Page, item: string): Locator {
  return page.getByRole('article').and(page.locator(`[data-item="${item}"]`))
}

/** Waits until the page has drawn what it reads. */
export async function loaded(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('main').count()).toBe(1)
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}
