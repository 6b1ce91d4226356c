import type { Page } from 'playwright-core'
import { gone, heading, question, see } from './harness/screen'
import { expect, test } from './harness/test'

// Questions and more than one tab or page: drafts, races, and where a secret goes.

/** Everything that a tab shows, keeps or is sent from now on; requests are told apart. */
function overhear(page: Page): { heard: () => Promise<string> } {
  const told: Promise<string>[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => told.push(Promise.resolve(payload.toString())))
    socket.on('framesent', ({ payload }) => told.push(Promise.resolve(payload.toString())))
  })
  page.on('response', (response) => {
    if (!response.url().includes('/assets/')) told.push(response.text().catch(() => ''))
  })
  return {
    heard: async () => {
      const kept = await page.evaluate(() =>
        JSON.stringify([
          document.documentElement.outerHTML,
          { ...localStorage },
          { ...sessionStorage },
          [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
          history.state,
          location.href,
        ]),
      )
      return [...(await Promise.all(told)), kept].join('\n')
    },
  }
}

test('a secret is masked, and goes to its server alone', async ({ kontor, open, page }) => {
  const secret = 'open-sesame-4711'
  const { page: other } = await open()
  const tabs = [page, other].map(overhear)
  await other.goto('/activity')
  await page.goto('/inbox')
  const { call, item } = await kontor.ask('ask_secret')
  const card = question(page, item)
  await see(card.getByText('Goes to Demo, a program on this machine.'))
  const field = card.getByRole('textbox', { name: 'Secret' }).or(card.getByLabel(/^Secret/))
  await field.first().fill(secret)
  expect(await field.first().getAttribute('type')).toBe('password')
  await card.getByRole('button', { name: 'Reveal' }).click()
  expect(await field.first().getAttribute('type')).toBe('text')
  await card.getByRole('button', { name: 'Hide' }).click()
  await card.getByRole('button', { name: 'Send secret' }).click()
  await see(page.getByText('was accepted.'))
  await expect
    .poll(async () => (await kontor.call(call.id)).structured)
    .toEqual({ action: 'accept', length: secret.length })

  // The end of the call has reached both tabs, and its card is open in one.
  await other.goto(`/activity/${call.id}`)
  await see(other.getByRole('treeitem', { name: `length: ${secret.length}` }))
  for (const { heard } of tabs) {
    const all = await heard()
    expect(all).toContain(call.id)
    expect(all).not.toContain(secret)
  }
  expect(await kontor.serverLog('demo')).not.toContain(secret)
})

test('a draft belongs to its item, and outlives a look at another page', async ({ kontor, page }) => {
  await page.goto('/inbox')
  const first = await kontor.ask('ask_form')
  const second = await kontor.ask('ask_form')
  const name = (item: string) => question(page, item).getByRole('textbox', { name: 'Name' })
  await name(first.item).fill('Only for the first')
  await see(name(second.item))
  expect(await name(second.item).inputValue()).toBe('')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tools' }).first().click()
  await see(heading(page, 'Tools'))
  await page.goBack()
  await see(name(first.item))
  expect(await name(first.item).inputValue()).toBe('Only for the first')

  await question(page, first.item).getByRole('button', { name: 'Decline' }).click()
  await gone(question(page, first.item))
  expect(await name(second.item).inputValue()).toBe('')
})

test('two tabs: the first answer counts, the other tab says so', async ({ kontor, open, page }) => {
  const { page: other, watch } = await open()
  watch.allow(/console: Failed to load resource.* 409 /)
  await page.goto('/inbox')
  await other.goto('/inbox')
  const { call, item } = await kontor.ask('confirm', { message: 'Who is first?' })
  await see(question(page, item), question(other, item))
  await question(page, item).getByRole('button', { name: 'Yes' }).click()
  await see(page.getByText('was accepted.'))
  await see(other.getByText('was accepted in another tab.'))
  await gone(question(other, item))
  await expect.poll(() => other.title()).toBe('Inbox · Kontor')

  // A tab that hasn't heard of it yet: its answer comes too late.
  const late = await kontor.ask('confirm', { message: 'Who is late?' })
  await see(question(other, late.item))
  await other.route('**/api/inbox/elicitations/*/resolve', async (route) => {
    await question(page, late.item).getByRole('button', { name: 'No' }).click()
    await see(page.getByText('was declined.'))
    await route.continue()
  })
  await question(other, late.item).getByRole('button', { name: 'Yes' }).click()
  await see(other.getByText('was declined in another tab.'))
  expect((await kontor.call(call.id)).result).toBe('The person said yes.')
  await expect.poll(async () => (await kontor.call(late.call.id)).result).toBe('The person said no.')
})
