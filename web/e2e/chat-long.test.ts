import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { Agent } from './harness/agent'
import { addModel, messages, script } from './harness/chat'
import { sizes } from './harness/look'
import { inView, see } from './harness/screen'
import { expect, test as base } from './harness/test'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
/** To read ten thousand messages, twenty pages of them, on a busy machine. */
const slowly = { timeout: 90_000 }

const test = base.extend('chat', { scope: 'file' }, ({ kontor }) => kontor.withLongChat(10_000))
const newest = 'Message 9999.'

/** As many elements as may be drawn of the messages, be they fifty or ten thousand. */
const most = 2500
const drawn = (page: Page) => messages(page).evaluate((box) => box.querySelectorAll('*').length)

/** The message that stands in the middle of what is seen, and how far below the top edge it does. */
function reading(page: Page): Promise<{ id: string; top: number }> {
  return messages(page).evaluate((box) => {
    const { top, height } = box.getBoundingClientRect()
    const places = [...box.querySelectorAll<HTMLElement>('[data-message]')].map((row) => ({
      id: row.dataset['message'] ?? '',
      top: (row.firstElementChild?.getBoundingClientRect().top ?? NaN) - top,
    }))
    return places.findLast((place) => place.top < height / 2) ?? { id: '', top: NaN }
  })
}

function topOf(page: Page, id: string): Promise<number> {
  return messages(page).evaluate((box, id) => {
    const row = box.querySelector(`[data-message="${id}"]`)?.firstElementChild
    return row ? row.getBoundingClientRect().top - box.getBoundingClientRect().top : NaN
  }, id)
}

/** The height of the largest stretch in sight on which there is nothing. */
function blank(page: Page): Promise<number> {
  return messages(page).evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect()
    const rows = [...box.querySelectorAll('[data-message] > *, .talk > :not(.chunk)')]
    let end = top
    let most = 0
    for (const row of rows) {
      const place = row.getBoundingClientRect()
      if (place.bottom < top || place.top > bottom || place.height < 2) continue
      most = Math.max(most, place.top - end)
      end = Math.max(end, place.bottom)
    }
    return Math.max(most, bottom - end)
  })
}

/** Everything in sight is drawn, and little else is. */
async function fine(page: Page): Promise<void> {
  await expect.poll(() => blank(page)).toBeLessThan(80)
  await expect.poll(() => drawn(page)).toBeLessThan(most)
}

async function opened(page: Page, chat: string): Promise<Locator> {
  await page.goto(`/chats/${chat}`)
  const latest = messages(page).getByText(newest)
  await inView(latest)
  return latest
}

for (const size of sizes) {
  test(`ten thousand messages are read from the latest to the first, at ${size.width} px`, async ({
    chat,
    open,
  }) => {
    const { page } = await open({ viewport: size })
    const latest = await opened(page, chat)
    await fine(page)

    // By the wheel, over several pages: what is read moves as far as the wheel does.
    await messages(page).hover()
    for (let i = 0; i < 20; i++) {
      const { id, top } = await reading(page)
      await page.mouse.wheel(0, -400)
      await expect.poll(async () => Math.abs((await topOf(page, id)) - top - 400)).toBeLessThan(3)
      await fine(page)
    }

    await messages(page).focus()
    for (let i = 0; i < 5; i++) {
      const { id, top } = await reading(page)
      await page.keyboard.press('PageUp')
      await expect.poll(() => topOf(page, id)).toBeGreaterThan(top + 200)
      await fine(page)
    }
    await page.keyboard.press('Home')
    await expect.poll(() => messages(page).getByText('Message 0.').count(), slowly).toBe(1)
    await inView(messages(page).getByText('Message 0.'))
    await fine(page)
    for (const key of ['PageDown', 'PageDown', 'PageUp', 'PageUp']) {
      await page.keyboard.press(key)
      await fine(page)
    }
    await inView(messages(page).getByText('Message 0.'))
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await inView(latest)
    await fine(page)
  })
}

test('who comes back finds what they read where it was', async ({ chat, page }) => {
  await opened(page, chat)
  await messages(page).hover()
  for (let i = 0; i < 12; i++) {
    const { id, top } = await reading(page)
    await page.mouse.wheel(0, -1500)
    await expect.poll(() => topOf(page, id)).not.toBe(top)
    await fine(page)
  }
  const { id, top } = await reading(page)
  const kept = () => page.evaluate(() => (history.state as { place?: object } | null)?.place)
  await expect.poll(kept).toBeTruthy()
  const there = async () => Math.abs((await topOf(page, id)) - top)
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click()
  await page.waitForURL(/activity$/)
  await page.goBack()
  await expect.poll(there, slowly).toBeLessThan(3)
  await fine(page)
  await page.reload()
  await expect.poll(there, slowly).toBeLessThan(3)
  await fine(page)
  // Another way in leads to the latest.
  await page.getByRole('link', { name: 'Tools', exact: true }).first().click()
  await page.waitForURL(/tools$/)
  await opened(page, chat)
})

// The last one: it adds to the chat.
test('what is read stays where it is while an answer is written', async ({ chat, kontor, page }) => {
  const says = 'One two three four five six seven eight nine ten. '.repeat(12).trim()
  // One that takes all of it in: nothing is summarised.
  const roomy = { name: 'Slow', provider: 'scripted', context_tokens: 10_000_000 }
  await addModel(kontor, { ...roomy, script: script([{ says }], '10ms') })
  await opened(page, chat)
  await messages(page).hover()
  await page.mouse.wheel(0, -3000)
  await see(page.getByRole('button', { name: 'Jump to latest' }))
  await fine(page)
  const { id, top } = await reading(page)
  const agent = Agent.of(kontor, chat)
  await agent.say('What do you say?')
  await see(page.getByRole('button', { name: 'there is more' }))
  while ((await agent.state()) !== 'idle') expect(Math.abs((await topOf(page, id)) - top)).toBeLessThan(2)
  expect(Math.abs((await topOf(page, id)) - top)).toBeLessThan(2)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await inView(messages(page).getByRole('button', { name: 'Answer again' }))
  await see(messages(page).getByText(/^One two three/))
})
