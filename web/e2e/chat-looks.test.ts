import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { addModel, allowDemo, begin, everything, messages, script } from './harness/chat'
import { look } from './harness/look'
import { gone, loaded, see } from './harness/screen'
import { expect, test } from './harness/test'

// Four pictures and four runs of axe for each screen.
vi.setConfig({ testTimeout: 300_000 })

async function fine(page: Page, name: string): Promise<void> {
  expect.soft(await look(page, name)).toEqual([])
}

test('without a model, and without a chat', async ({ page }) => {
  await page.goto('/chats/+new')
  await see(page.getByText('No language model is set up'))
  await loaded(page)
  await fine(page, 'chat-no-model')
  await page
    .getByRole('button', { name: /^Ask form|^Order/ })
    .or(page.getByRole('button', { name: /^Echo/ }))
    .first()
    .click()
  await fine(page, 'chat-driver')
  await page.goto('/chats')
  await see(page.getByText('No chats yet.'))
  await fine(page, 'chats-empty')
})

test('a chat with all there is', async ({ kontor, page }) => {
  await allowDemo(kontor)
  await addModel(kontor, { name: 'Scripted', provider: 'scripted', script: script(everything) })
  await page.goto('/chats/+new')
  await see(page.getByRole('textbox', { name: 'Message' }))
  await fine(page, 'chat-new')
  await begin(page, 'Show me everything. ' + 'Averylongword'.repeat(20))
  const approve = messages(page).getByRole('button', { name: 'Approve once' })
  await see(approve)
  await fine(page, 'chat-approval')
  await approve.click()
  const yes = messages(page)
    .getByRole('article')
    .getByRole('button', { name: /^Yes|^Accept/ })
  await see(yes)
  await fine(page, 'chat-question')
  await yes.click()
  await see(messages(page).locator('strong').getByText('done'))
  await messages(page)
    .locator('details.sub')
    .evaluate((box: HTMLDetailsElement) => (box.open = true))
  await see(messages(page).getByText('The helper found it.'))
  await fine(page, 'chat-end')
  await messages(page).hover()
  await page.mouse.wheel(0, -10_000)
  await see(page.getByRole('button', { name: 'Jump to latest' }))
  await fine(page, 'chat-top')
  await page.getByRole('button', { name: 'Add tools' }).click()
  await see(page.getByRole('dialog'))
  await fine(page, 'chat-tools')
  await page.getByRole('button', { name: 'Done' }).click()
  await gone(page.getByRole('dialog'))
  await page.getByRole('textbox', { name: 'Message' }).fill('@')
  await see(page.getByRole('option', { name: /About this server/ }))
  await fine(page, 'chat-resources')
  await page.goto('/chats')
  await see(page.getByRole('link', { name: /Show me everything/ }))
  await fine(page, 'chats')
})
