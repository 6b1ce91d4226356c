import type { Page } from 'playwright-core'
import { beforeEach, vi } from 'vitest'
import { addFake, messages, openNew, write } from './harness/chat'
import { look } from './harness/look'
import { OpenAI } from './harness/openai'
import { gone, see } from './harness/screen'
import { expect, test } from './harness/test'

vi.setConfig({ testTimeout: 240_000 })
const said = (page: Page, text: string | RegExp) => messages(page).getByText(text)
const summarised = (page: Page) => said(page, 'What was said before is summarised for the model.')
const wantsSummary = (body: string) => body.includes('Summarise this conversation')
const last = (provider: OpenAI) => provider.bodies.at(-1) ?? ''

let provider: OpenAI
beforeEach(async () => {
  provider = await OpenAI.start()
  return () => provider.close()
})

/** How full the bar at the top is, in per cent. */
async function full(page: Page, share: number): Promise<void> {
  const now = () => page.getByRole('meter').getAttribute('aria-valuenow')
  await expect.poll(now).toBe(String(share))
}

/** Three exchanges, after which the context is 85 % full. */
async function fill(page: Page): Promise<void> {
  const steps = [
    ['What is first?', 'The first answer.', 1990],
    ['What is second?', 'The second answer.', 4990],
    ['What is third?', 'The third answer.', 8490],
  ] as const
  for (const [question, says, read] of steps) {
    provider.answers = [{ says, read }]
    await write(page, question)
    await see(said(page, says))
    await full(page, (read + 10) / 100)
  }
  expect(provider.bodies.some(wantsSummary)).toBe(false)
}

test('a chat that gets long is summarised for the model alone, and goes on', async ({ kontor, page }) => {
  await addFake(kontor, 'small', provider, { context_tokens: 10_000 })
  await openNew(kontor, page, 'Long talk')
  await fill(page)

  const free = provider.hold()
  await write(page, 'What is fourth?')
  await expect.poll(() => wantsSummary(last(provider))).toBe(true)
  await see(said(page, 'Waiting for the model'))
  await page.reload()
  await see(said(page, 'What is fourth?'), said(page, 'Waiting for the model'))
  provider.answers = [{ says: 'They counted to three.' }, { says: 'The fourth answer.', read: 690 }]
  free()
  await see(summarised(page), said(page, 'The fourth answer.'))
  await full(page, 7)
  expect(last(provider)).toContain('They counted to three.')
  expect(last(provider)).toContain('What is fourth?')
  expect(last(provider)).not.toContain('The second answer.')

  await page.reload()
  await see(said(page, 'What is first?'), said(page, 'The third answer.'), said(page, 'The fourth answer.'))
  await full(page, 7)
  await summarised(page).click()
  await see(said(page, 'They counted to three.'))
  const order = await messages(page).innerText()
  const places = ['The third answer.', 'What is fourth?', 'is summarised for', 'The fourth answer.']
  expect(places.map((text) => order.indexOf(text))).toEqual(
    places.map((text) => order.indexOf(text)).toSorted((a, b) => a - b),
  )
  expect.soft(await look(page, 'chat-compaction')).toEqual([])

  await page.setViewportSize({ width: 360, height: 780 })
  await see(page.getByRole('button', { name: /7 % full/ }))
  provider.answers = [{ says: 'The fifth answer.', read: 790 }]
  await write(page, 'What is fifth?')
  await see(said(page, 'The fifth answer.'), page.getByRole('button', { name: /8 % full/ }))
  expect(last(provider)).toContain('The fourth answer.')
  expect(last(provider)).not.toContain('What is first?')
})

test('a chat that can’t be summarised says so, and goes on in full', async ({ kontor, page }) => {
  await addFake(kontor, 'wordless', provider, { context_tokens: 10_000 })
  await openNew(kontor, page, 'No summary')
  await fill(page)
  provider.answers = [{ says: '' }, { says: 'The fourth answer.', read: 8990 }]
  await write(page, 'What is fourth?')
  await see(said(page, /could not be summarised.*gave no summary/), said(page, 'The fourth answer.'))
  await full(page, 90)
  expect(last(provider)).toContain('What is first?')
  await page.reload()
  await see(said(page, /could not be summarised/), said(page, 'The fourth answer.'))
})

test('a chat is stopped while it is summarised, and answered anew', async ({ kontor, page }) => {
  await addFake(kontor, 'slow', provider, { context_tokens: 10_000 })
  await openNew(kontor, page, 'Stopped')
  await fill(page)
  const free = provider.hold()
  await write(page, 'What is fourth?')
  await expect.poll(() => wantsSummary(last(provider))).toBe(true)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await gone(said(page, 'Waiting for the model'))
  expect(await summarised(page).count()).toBe(0)
  free()
  provider.answers = [{ says: 'They counted to three.' }, { says: 'The fourth answer.', read: 690 }]
  await page.getByRole('button', { name: 'Try again' }).click()
  await see(summarised(page), said(page, 'The fourth answer.'))
  await full(page, 7)
})
