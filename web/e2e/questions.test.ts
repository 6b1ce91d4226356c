import type { Locator } from 'playwright-core'
import { gone, openTool, question, run, see } from './harness/screen'
import { expect, test } from './harness/test'

/** Fills every field of ask_form, each kind of the protocol. */
async function fillOrder(card: Locator): Promise<void> {
  await card.getByRole('textbox', { name: 'Name' }).fill('Mira Ünal')
  await card.getByRole('textbox', { name: 'Customer code' }).fill('KT-2026')
  await card.getByRole('textbox', { name: 'E-mail' }).fill('mira@example.org')
  await card.getByRole('textbox', { name: 'Website' }).fill('https://example.org/mira')
  await card.getByLabel('Day of delivery').fill('2026-12-24')
  await card.getByLabel('When to call').fill('2026-12-23T10:30')
  await card.getByRole('textbox', { name: 'Amount' }).fill('3')
  await card.getByRole('textbox', { name: 'Highest price' }).fill('20.5')
  await card.getByRole('checkbox', { name: 'It is a gift' }).check()
  await card.getByRole('checkbox', { name: 'I have read the terms' }).check()
  await card.getByRole('combobox', { name: 'Size' }).selectOption('L')
  await card.getByRole('radio', { name: 'Green' }).check()
  await card.getByRole('combobox', { name: 'Delivery' }).selectOption('Express, tomorrow')
  await card.getByRole('checkbox', { name: 'card' }).uncheck()
  await card.getByRole('checkbox', { name: 'box' }).check()
  await card.getByRole('checkbox', { name: 'Special offers' }).check()
  await card.getByRole('checkbox', { name: 'Events' }).check()
}

/** Fills what ask_form can't do without. */
async function fillRequired(card: Locator, name: string): Promise<void> {
  await card.getByRole('textbox', { name: 'Name' }).fill(name)
  await card.getByRole('textbox', { name: 'E-mail' }).fill('mira@example.org')
  await card.getByRole('radio', { name: 'Red' }).check()
  await card.getByRole('checkbox', { name: 'New in stock' }).check()
}

const accept = (card: Locator) => card.getByRole('button', { name: 'Accept' })

test('a form in the inbox: arrives by itself, says what does not fit, sends every kind of field', async ({
  kontor,
  page,
}) => {
  await page.goto('/inbox')
  await see(page.getByText('Nothing waits for you'))
  const { call, item } = await kontor.ask('ask_form')
  const card = question(page, item)
  await see(card.getByRole('heading', { name: '15 details are needed' }))
  await see(card.getByText('Order something from the demo shop.'), card.getByText('Demo').first())
  await expect.poll(() => page.title()).toBe('(1) Inbox · Kontor')

  await card.getByRole('textbox', { name: 'E-mail' }).fill('mira')
  await card.getByRole('textbox', { name: 'Amount' }).fill('100')
  await card.getByRole('textbox', { name: 'Customer code' }).fill('nonsense')
  await accept(card).click()
  await see(
    card.getByText('Fill this in'),
    card.getByText('Enter a full email address'),
    card.getByText('Must be 99 or less'),
    card.getByText('Choose one'),
    card.getByText('Needs at least 1'),
    card.getByText('5 fields need a fix'),
  )
  expect((await kontor.call(call.id)).state).toBe('waiting_input')

  await fillOrder(card)
  await accept(card).click()
  await see(page.getByRole('status').getByText('was accepted.'))
  await gone(card)
  await expect.poll(async () => (await kontor.call(call.id)).state).toBe('done')
  expect((await kontor.call(call.id)).structured).toEqual({
    action: 'accept',
    content: {
      name: 'Mira Ünal',
      code: 'KT-2026',
      email: 'mira@example.org',
      website: 'https://example.org/mira',
      day: '2026-12-24',
      call_at: '2026-12-23T10:30:00+01:00',
      amount: 3,
      price: 20.5,
      gift: true,
      terms: true,
      size: 'L',
      colour: '#27ae60',
      delivery: 'exp',
      extras: ['box'],
      news: ['offers', 'events'],
    },
  })
})

test('a form in the card of its call: defaults count for what is left out', async ({ page }) => {
  await openTool(page, 'ask_form')
  const call = await run(page)
  await see(call.getByText('waiting for you'))
  const card = call.getByRole('article')
  await fillRequired(card, 'Mira')
  await accept(card).click()
  await gone(card)
  await see(call.getByRole('treeitem', { name: 'action: "accept"' }))
  await call.getByRole('button', { name: 'Raw' }).click()
  await see(call.getByText('"delivery": "std"'))
})

test('decline and cancel are two answers', async ({ kontor, page }) => {
  await page.goto('/inbox')
  for (const [button, word, action] of [
    ['Decline', 'was declined.', 'decline'],
    ['Cancel', 'was cancelled.', 'cancel'],
  ] as const) {
    const { call, item } = await kontor.ask('ask_form')
    const card = question(page, item)
    await card.getByRole('button', { name: button }).click()
    await see(page.getByText(word))
    await expect.poll(async () => (await kontor.call(call.id)).structured).toEqual({ action })
  }
})

test('yes or no, in the inbox and in the card of the call', async ({ kontor, page }) => {
  await openTool(page, 'confirm')
  const call = await run(page)
  await see(call.getByRole('article', { name: 'Shall the demo go on?' }))
  await call.getByRole('button', { name: 'Yes' }).click()
  await see(call.getByText('The person said yes.'))

  await page.goto('/inbox')
  const second = await kontor.ask('confirm', { message: 'Is it late?' })
  await question(page, second.item).getByRole('button', { name: 'No' }).click()
  await see(page.getByText('was declined.'))
  await expect.poll(async () => (await kontor.call(second.call.id)).result).toBe('The person said no.')
})

test('a link opens on a click alone, and waits for "I’m done"', async ({ kontor, page, watch }) => {
  watch.allow(/^request to https:\/\/example\.com\/confirm/)
  let visits = 0
  await page.context().route('https://example.com/**', (route) => {
    visits++
    return route.fulfill({ contentType: 'text/html', body: '<title>Confirm</title>' })
  })
  await page.goto('/inbox')
  const { call, item } = await kontor.ask('ask_link')
  const card = question(page, item)
  await see(card.getByText('https://example.com/confirm?demo=1'))
  await see(card.getByRole('strong').or(card.locator('b')).getByText('example.com', { exact: true }))
  const done = card.getByRole('button', { name: 'I’m done' })
  expect(await done.isDisabled()).toBe(true)
  expect(visits).toBe(0)

  const opened = page.waitForEvent('popup')
  await card.getByRole('link', { name: 'Open in a new tab' }).click()
  const tab = await opened
  await expect.poll(() => tab.title()).toBe('Confirm')
  expect(await tab.evaluate(() => [opener, document.referrer])).toEqual([null, ''])
  await tab.close()
  expect(visits).toBe(1)
  await done.click()
  await see(page.getByText('was accepted.'))
  await expect.poll(async () => (await kontor.call(call.id)).result).toContain('they are done')
})

test('a link that is no web address is never opened', async ({ kontor, page }) => {
  await page.goto('/inbox')
  const { item } = await kontor.ask('ask_link', { url: 'javascript:alert(1)' })
  const card = question(page, item)
  await see(card.getByText('Kontor doesn’t open this address.'))
  expect(await card.getByRole('link').count()).toBe(0)
  await card.getByRole('button', { name: 'Decline' }).click()
  await see(page.getByText('was declined.'))
})

test('an odd form is answered as JSON', async ({ kontor, page }) => {
  await page.goto('/inbox')
  const { call, item } = await kontor.ask('ask_odd')
  const card = question(page, item)
  await card.getByRole('textbox', { name: 'Address' }).fill('{"town": 5}')
  await accept(card).click()
  await see(card.getByText('1 field needs a fix'))
  await card.getByRole('textbox', { name: 'Address' }).fill('{"town": "Ulm"}')
  await accept(card).click()
  await see(page.getByText('was accepted.'))
  await expect
    .poll(async () => (await kontor.call(call.id)).structured)
    .toMatchObject({ action: 'accept', content: { address: { town: 'Ulm' } } })
})

test('without script: a form, a secret, a yes or no', async ({ kontor, open }) => {
  const { page, watch } = await open({ javaScriptEnabled: false })
  watch.allow(/console: Failed to load resource.* 422 /)
  const form = await kontor.ask('ask_form')
  await page.goto(`/inbox/${form.item}`)
  await see(
    page.getByRole('heading', { level: 1, name: '15 details are needed' }),
    page.getByText('Order something from the demo shop.'),
  )
  await page.getByLabel(/^Name/).fill('Mira')
  await page.getByLabel(/^E-mail/).fill('mira@example.org')
  await page
    .getByRole('group', { name: /^I have read the terms/ })
    .getByLabel('Yes')
    .check()
  await page.getByLabel(/^Colour/).selectOption({ label: 'Blue' })
  await page.getByLabel(/^When to call/).fill('2026-11-30T14:05')
  await page.getByRole('button', { name: 'Accept' }).click()
  // What the browser can't know, Kontor says, and keeps what was filled in.
  await see(page.getByText(/at least 1|choose/i))
  expect(await page.getByLabel(/^Name/).inputValue()).toBe('Mira')
  expect(await page.getByLabel(/^When to call/).inputValue()).toBe('2026-11-30T14:05')
  await page.getByLabel('New in stock').check()
  await page.getByRole('button', { name: 'Accept' }).click()
  await see(page.getByText(/^Accepted by you/))
  await expect
    .poll(async () => (await kontor.call(form.call.id)).structured)
    .toMatchObject({
      action: 'accept',
      content: { name: 'Mira', colour: '#2980b9', news: ['stock'], call_at: '2026-11-30T14:05:00Z' },
    })

  const secret = await kontor.ask('ask_secret', { marked_by: 'name' })
  await page.goto(`/inbox/${secret.item}`)
  await see(page.getByText('Goes to Demo, a program on this machine.'))
  const field = page.getByLabel(/^Secret/).and(page.locator('input'))
  expect(await field.getAttribute('type')).toBe('password')
  await field.fill('four')
  await page.getByRole('button', { name: 'Send secret' }).click()
  await see(page.getByText(/^Accepted by you/))
  expect(await page.content()).not.toContain('four')
  await expect
    .poll(async () => (await kontor.call(secret.call.id)).structured)
    .toEqual({ action: 'accept', length: 4 })

  const confirm = await kontor.ask('confirm')
  await page.goto(`/inbox/${confirm.item}`)
  await see(page.getByRole('heading', { level: 1, name: 'Shall the demo go on?' }))
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await see(page.getByText(/^Declined by you/))
  await expect.poll(async () => (await kontor.call(confirm.call.id)).result).toBe('The person said no.')
})
