import type { Page } from 'playwright-core'
import { gone, heading, inView, see } from './harness/screen'
import { expect, test } from './harness/test'
import { Kontor } from './harness/kontor'

/** The state of the server whose page is open. */
const state = (page: Page, word: string) =>
  page.getByRole('banner').or(page.locator('.page-head')).getByText(word, { exact: true })

/** Fills the form for a program of this machine. */
async function fillProgram(page: Page, command: string, args: string[], name: string): Promise<void> {
  const form = page.getByRole('complementary', { name: 'Add a server' })
  await form.getByRole('textbox', { name: /^Command/ }).fill(command)
  await form.getByRole('textbox', { name: 'Arguments' }).fill(args.join('\n'))
  await form.getByRole('textbox', { name: 'Name', exact: false }).first().fill(name)
}

test('an empty page offers the demo server', async ({ kontor, page }) => {
  await kontor.deleteServer('demo')
  await page.goto('/servers')
  await see(page.getByText('No server is connected yet'))
  await page.getByRole('button', { name: 'Add the demo server' }).click()
  await see(heading(page, 'Demo'), state(page, 'ready'))
  await page
    .getByRole('navigation', { name: 'Demo' })
    .getByRole('link', { name: /^Tools/ })
    .click()
  await see(page.getByRole('link', { name: 'Picture' }))
})

test('a server is added by its command line, and is there in another tab', async ({ kontor, open, page }) => {
  const { page: other } = await open()
  await other.goto('/servers')
  await see(other.getByRole('link', { name: 'Demo' }))
  await page.goto('/servers')
  await page.getByRole('link', { name: 'Add server' }).click()
  await fillProgram(page, Kontor.bin, ['server', 'demo'], 'second')
  await page.getByRole('textbox', { name: 'Shown as' }).fill('Second demo')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await see(heading(page, 'Second demo'), state(page, 'ready'))
  await see(other.getByRole('listitem').filter({ hasText: 'Second demo' }).getByText('ready'))
  expect(await kontor.servers()).toEqual(['demo', 'second'])
})

test('a command that does not start is refused with the reason, and the draft is kept', async ({
  kontor,
  page,
  watch,
}) => {
  watch.allow(/console: Failed to load resource.* 422 /)
  await page.goto('/servers')
  await page.getByRole('link', { name: 'Add server' }).click()
  await fillProgram(page, '/nowhere/at-all', ['--serve'], 'broken')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await see(page.getByText('It could not be started. Nothing is saved.'), page.getByText(/nowhere\/at-all/))
  await inView(page.getByText('It could not be started. Nothing is saved.'))
  expect(await kontor.servers()).not.toContain('broken')
  const command = page.getByRole('textbox', { name: /^Command/ })
  expect(await command.inputValue()).toBe('/nowhere/at-all')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tools' }).first().click()
  await see(heading(page, 'Tools'))
  await page.goBack()
  await see(command)
  expect(await command.inputValue()).toBe('/nowhere/at-all')

  if ((await page.getByRole('button', { name: 'Save anyway' }).count()) === 0) {
    await page.getByRole('button', { name: 'Test and save' }).click()
  }
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await see(heading(page, 'broken'), state(page, 'failed'))
  await see(page.getByText('Install the program, or give its whole path.').or(page.getByText(/at-all/)))
  expect(await kontor.servers()).toContain('broken')
})

test('settings are changed; what was typed and not saved can be thrown away', async ({ page }) => {
  await page.goto('/servers/second#settings')
  const shown = page.getByRole('textbox', { name: 'Shown as' })
  await shown.fill('Nonsense')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => shown.inputValue()).toBe('Second demo')
  await shown.fill('Renamed demo')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByRole('textbox', { name: 'Name of the new variable' }).fill('GREETING')
  await page.getByLabel('Value of GREETING').fill('not-to-be-shown')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await see(heading(page, 'Renamed demo'), page.getByText(/^Renamed demo was saved/))
  await see(page.getByText('stored', { exact: true }), state(page, 'ready'))
  await page.reload()
  await see(page.getByText('stored', { exact: true }))
  expect(await page.content()).not.toContain('not-to-be-shown')
})

test('limits are typed in units that a person uses, and what can’t be one is said in place', async ({
  kontor,
  page,
}) => {
  const stored = async () => {
    const server = await (await kontor.fetch('/api/servers/second')).json()
    return server as { max_message_bytes: number; reconnect: { max_attempts: number; max_ms: number } }
  }
  await page.goto('/servers/second#settings')
  const largest = page.getByRole('textbox', { name: 'Largest message' })
  await gone(largest)
  await page.getByText('Advanced').click()
  expect(await largest.getAttribute('placeholder')).toBe('16 MiB')
  await largest.fill('32')
  await page.getByRole('textbox', { name: 'Longest wait' }).fill('0.1 s')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await see(page.getByText('Write a size, such as 16 MiB.'), page.getByText(/shorter than the first wait/))
  expect((await stored()).max_message_bytes).toBe(16 << 20)

  await largest.fill('32 MiB')
  await page.getByRole('textbox', { name: 'Longest wait' }).fill('1 min')
  await page.getByRole('textbox', { name: 'Tries in a row' }).fill('5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await see(page.getByText(/^Renamed demo was saved/))
  expect(await stored()).toMatchObject({
    max_message_bytes: 32 << 20,
    reconnect: { max_attempts: 5, max_ms: 60_000 },
  })
  await page.reload()
  await see(page.getByText('3 of your own'))
  expect(await largest.inputValue()).toBe('32 MiB')
})

test('a server is turned off and on; another tab follows', async ({ open, page }) => {
  const { page: other } = await open()
  await other.goto('/servers')
  const row = other.getByRole('listitem').filter({ hasText: 'Renamed demo' })
  await page.goto('/servers/second')
  const power = page.getByRole('switch', { name: 'Turned on' })
  await see(state(page, 'ready'), row.getByText('ready'))
  await power.click()
  await see(state(page, 'disabled'), row.getByText('disabled'))
  await expect.poll(() => power.isChecked()).toBe(false)
  await row.getByRole('button', { name: 'Turn on' }).click()
  await see(row.getByText('ready'), state(page, 'ready'))
})

test('the log shows lines as they come, and filters them', async ({ kontor, page }) => {
  await page.goto('/servers/demo#log')
  await see(page.getByText(/^\s*Live\s*$/))
  await kontor.start('log', { message: 'a line that came later', lines: 3 })
  const log = page.getByRole('log', { name: 'Log of the server' })
  await see(log.getByText('a line that came later (line 3 of 3)'))
  await page.getByRole('searchbox', { name: 'Filter lines' }).fill('line 2 of')
  await see(log.getByText('(line 2 of 3)'))
  await gone(log.getByText('(line 3 of 3)'))
  await page.getByRole('searchbox', { name: 'Filter lines' }).fill('')
  await page.getByRole('button', { name: 'Pause' }).click()
  await kontor.start('log', { message: 'while paused', lines: 1 })
  await see(page.getByText(/new lines?$/))
  expect(await log.getByText('while paused (line 1 of 1)').count()).toBe(0)
  await page.getByRole('button', { name: 'Follow' }).click()
  await see(log.getByText('while paused (line 1 of 1)'))
})

test('on a phone the tab that is open is in sight', async ({ open }) => {
  const { page } = await open({ viewport: { width: 360, height: 780 } })
  await page.goto('/servers/demo#settings')
  await inView(page.getByRole('navigation', { name: 'Demo' }).getByRole('link', { name: 'Settings' }))
  await page.goto('/servers/demo#overview')
  await inView(page.getByRole('navigation', { name: 'Demo' }).getByRole('link', { name: 'Overview' }))
})

test('a server is deleted after a question', async ({ kontor, page }) => {
  await page.goto('/servers')
  const more = page.getByRole('button', { name: 'More for Renamed demo' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Renamed demo?' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await gone(dialog)
  expect(await kontor.servers()).toContain('second')
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete server' }).click()
  await see(page.getByText('Renamed demo was deleted.'))
  await gone(page.getByRole('link', { name: 'Renamed demo' }))
  expect(await kontor.servers()).not.toContain('second')
})

test('deleted from its own page, a server leads back to the list', async ({ kontor, page }) => {
  await kontor.addServer({
    name: 'short-lived',
    transport: 'http',
    url: 'http://127.0.0.1:9/mcp',
    enabled: false,
  })
  await page.goto('/servers/short-lived')
  await page.getByRole('button', { name: 'More for short-lived' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete server' }).click()
  await see(page.getByText('short-lived was deleted.'))
  await expect.poll(() => new URL(page.url()).pathname).toBe('/servers')
  await gone(page.getByText('was not deleted'))
})
