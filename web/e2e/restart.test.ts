import { gone, openTool, question, run, see } from './harness/screen'
import { expect, test, unreachable } from './harness/test'

test('an open tab outlives a crash of Kontor', async ({ kontor, page, watch }) => {
  watch.allow(unreachable)
  const asked = await kontor.ask('confirm', { message: 'Before the crash?' })
  await openTool(page, 'echo')
  await page.getByRole('textbox', { name: 'Text' }).fill('half typed')
  await page.evaluate(() => (window.name = 'never loaded anew'))

  await kontor.kill()
  await see(page.getByText('Kontor can’t be reached.'), page.getByText(/^\s*Offline/))
  const send = page.getByRole('region', { name: 'Arguments' }).getByRole('button', { name: /^Run/ })
  expect(await send.isDisabled()).toBe(true)

  await kontor.up()
  // What the tab may still hold from before must not hide what comes now.
  await gone(page.getByText('Kontor can’t be reached.'))
  await see(page.getByText(/^\s*Live/))
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('half typed')
  await expect.poll(() => page.title()).toBe('Tools · Kontor')
  const card = await run(page)
  await see(card.getByText('half typed').last())

  const { item } = await kontor.ask('confirm', { message: 'After the crash?' })
  await expect.poll(() => page.title()).toBe('(1) Tools · Kontor')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).first().click()
  await see(question(page, item))
  expect(await question(page, asked.item).count()).toBe(0)
  expect(await page.evaluate(() => window.name)).toBe('never loaded anew')
})

test('a call that was open when Kontor was killed has an unknown outcome, and says so', async ({
  kontor,
  page,
  watch,
}) => {
  watch.allow(unreachable)
  const form = await openTool(page, 'slow')
  await form.getByRole('textbox', { name: 'Steps' }).fill('1000')
  const card = await run(page)
  await see(card.getByRole('progressbar'))
  await kontor.kill()
  await see(page.getByText('Kontor can’t be reached.'))
  await kontor.up()
  await see(card.getByText('Outcome unknown.'), card.getByText('outcome unknown'))
  await see(card.getByText('Kontor never sends a call twice by itself'))

  await page.goto('/activity')
  await see(page.getByRole('link', { name: /Slow work.*outcome unknown/ }))
})

test('a tab keeps its place through a stop and a start', async ({ kontor, page, watch }) => {
  watch.allow(unreachable)
  await page.goto('/activity')
  await kontor.down()
  await see(page.getByText('Kontor can’t be reached.'))
  await kontor.up()
  await gone(page.getByText('Kontor can’t be reached.'))
  await kontor.start('echo', { text: 'after the stop' })
  await see(page.getByRole('link', { name: /Echo.*after the stop/ }))
})
