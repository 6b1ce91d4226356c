import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { addModel, begin, messages, script, write } from './harness/chat'
import { see } from './harness/screen'
import { expect, test } from './harness/test'

vi.setConfig({ testTimeout: 240_000 })

// This file's Kontor has no model until the test says so.
test('without a model the person runs tools, and a chat keeps them', async ({ kontor, page }) => {
  await page.goto('/chats')
  await see(page.getByText('No chats yet.'), page.getByText('No language model is set up'))
  await see(page.getByRole('link', { name: 'Add a model' }))
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('echo')
  await page.getByRole('button', { name: /^Echo/ }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('by hand')
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/)
  await see(messages(page).getByText('You ran a tool'), messages(page).getByText('by hand'))
  await page.reload()
  await see(messages(page).getByText('by hand'))

  await addModel(kontor, {
    name: 'Short',
    provider: 'scripted',
    script: script([{ says: 'I saw what you ran.' }]),
  })
  await write(page, 'And you?')
  await see(messages(page).getByText('I saw what you ran.'))
  await page.getByRole('button', { name: 'Run a tool yourself' }).click()
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('picture')
  await page.getByRole('button', { name: /^Picture/ }).click()
  await page.getByRole('button', { name: /^Run/ }).click()
  await see(messages(page).getByRole('img'))
})

test('what is written is kept while Kontor can’t be reached', async ({ kontor, page, watch }) => {
  watch.allow(
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket/,
  )
  await page.goto('/chats/+new')
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('half typ')
  await kontor.down()
  await see(
    page.getByText('Kontor can’t be reached.'),
    page.getByText('Not sent. Send it when Kontor is back.'),
  )
  await field.press('Enter')
  expect(await field.inputValue()).toBe('half typ')
  await kontor.up()
  await expect.poll(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true)
  expect(await field.inputValue()).toBe('half typ')
})

/** Answers for the API: a chat of `count` messages, page by page, each a moment late. */
async function long(page: Page, count: number): Promise<void> {
  const url = page.url()
  const session = url.slice(url.lastIndexOf('/') + 1)
  const message = (i: number) => ({
    ...{ id: `a${String(i).padStart(8, '0')}`, session_id: session, frame_id: 'f', root: true, turn_id: 't' },
    ...{
      role: i % 2 ? 'assistant' : 'user',
      model: '',
      finish: 'stop',
      created_at: '2026-11-30T14:00:00.000Z',
    },
    usage: { input: 0, cache_read: 0, output: 0 },
    parts: [{ kind: 'text', text: `Message ${i}. ${'Some words that fill a line. '.repeat(1 + (i % 7))}` }],
  })
  await page.route('**/api/sessions/*/messages?*', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const end = Number(query.get('cursor') ?? count)
    const start = Math.max(0, end - Number(query.get('limit')))
    const items = Array.from({ length: end - start }, (_, i) => message(end - 1 - i))
    await new Promise((next) => setTimeout(next, 50))
    await route.fulfill({ json: { items, next: start > 0 ? String(start) : null } })
  })
}

/** How far below the top edge a message stands. */
function placeOf(scroller: Locator, text: string): Promise<number> {
  return scroller.evaluate((box, text) => {
    const row = [...box.querySelectorAll('.said, .answer')].find((row) => row.textContent?.includes(text))
    return row ? row.getBoundingClientRect().top - box.getBoundingClientRect().top : NaN
  }, text)
}

test('a long chat draws what is near, and what is read stays where it is', async ({ kontor, page }) => {
  await addModel(kontor, { name: 'Tiny', provider: 'scripted', script: script([{ says: 'Well.' }]) })
  await begin(page, 'Make it long')
  await see(messages(page).getByText('Well.'))
  await long(page, 1000)
  await page.reload()
  const scroller = messages(page)
  await see(scroller.getByText('Message 999.'))
  const drawn = () => scroller.locator('.said, .answer').count()
  const height = () => scroller.evaluate((box) => box.scrollHeight)

  // An older page comes before the first message that is there.
  const before = await height()
  await scroller.hover()
  await page.mouse.wheel(0, -10)
  await scroller.evaluate((box) => box.scrollTo({ top: 100 }))
  const place = await placeOf(scroller, 'Message 950.')
  await expect.poll(height).toBeGreaterThan(before)
  expect(Math.abs((await placeOf(scroller, 'Message 950.')) - place)).toBeLessThan(3)

  const atFirst = async () => {
    await scroller.evaluate((box) => box.scrollBy({ top: -2500 }))
    return scroller.getByText('Message 0.').count()
  }
  await expect.poll(atFirst, { timeout: 90_000, interval: 60 }).toBe(1)
  expect(await drawn()).toBeLessThan(250)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await see(scroller.getByText('Message 999.'))
  await expect.poll(drawn).toBeLessThan(250)
})
