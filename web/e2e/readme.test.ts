import { mkdir } from 'node:fs/promises'
import { openTool, question, run, see } from './harness/screen'
import { screenshots, test } from './harness/test'

// The pictures of the README and the guide: `npm run screenshots` puts them into
// docs/screenshots, the test run beside the others.
const folder = process.env['DOCS']
  ? new URL('../../docs/screenshots/', import.meta.url).pathname
  : screenshots

test('pictures for the README', async ({ kontor, page }) => {
  await mkdir(folder, { recursive: true })
  const take = (name: string) => page.screenshot({ path: `${folder}${name}.png` })

  await openTool(page, 'table')
  await see((await run(page)).getByText('Rows 1 to 5 of 5'))
  await take('tools')

  await page.goto('/servers')
  await see(page.getByText('ready', { exact: true }))
  await take('servers')

  await openTool(page, 'ask_form')
  await run(page)
  await openTool(page, 'ask_secret')
  await run(page)
  const { item } = await kontor.ask('confirm', { message: 'Delete the three oldest backups?' })
  await page.goto('/inbox')
  await see(question(page, item))
  await take('inbox')
})
