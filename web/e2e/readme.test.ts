import { mkdir } from 'node:fs/promises'
import { openTool, run, see } from './harness/screen'
import { expect, patience, screenshots, test } from './harness/test'

// The pictures of the README and the guide: `npm run screenshots` puts them into
// docs/screenshots, the test run beside the others.
const folder = process.env['DOCS']
  ? new URL('../../docs/screenshots/', import.meta.url).pathname
  : screenshots

test('pictures for the README', async ({ page }) => {
  await mkdir(folder, { recursive: true })
  const take = (name: string) => page.screenshot({ path: `${folder}${name}.png` })

  await openTool(page, 'table')
  await see((await run(page)).getByText('Rows 1 to 5 of 5'))
  await take('tools')

  await page.goto('/servers')
  await see(page.getByText('ready', { exact: true }))
  await take('servers')

  const form = await openTool(page, 'confirm')
  await form.getByRole('textbox', { name: 'Question' }).fill('Delete the three oldest backups?')
  await run(page)
  for (const tool of ['ask_secret', 'ask_form']) {
    await openTool(page, tool)
    await run(page)
  }
  await page.goto('/inbox')
  await see(page.getByRole('article', { name: 'Delete the three oldest backups?' }))
  await expect.poll(() => page.getByRole('article').count(), { timeout: patience }).toBe(3)
  await take('inbox')
})
