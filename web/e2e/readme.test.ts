import { mkdir } from 'node:fs/promises'
import { addModel, allow, begin, messages, script } from './harness/chat'
import type { Answer } from './harness/openai'
import { openTool, run, see } from './harness/screen'
import { expect, screenshots, test } from './harness/test'

// The pictures of the README and the guide: `npm run screenshots` puts them into
// docs/screenshots, the test run beside the others.
const folder = process.env['DOCS']
  ? new URL('../../docs/screenshots/', import.meta.url).pathname
  : screenshots

/** What the agent does in the chat that is shown: it stops where it needs the person. */
const evening: Answer[] = [
  { says: 'I switch the demo tools on.', calls: [['activate_tools', '{"groups": ["demo"]}']] },
  {
    calls: [
      ['mcp__demo__table', '{"count": 5}'],
      ['mcp__demo__picture', '{"width": 640, "height": 160, "seed": 11}'],
    ],
  },
  {
    says: 'Here is the sky, and **five goods are in stock**. Telling everybody is for you to decide.',
    calls: [['mcp__demo__notify', '{"subject": "The evening order is in", "count": 1}']],
  },
]

test('pictures for the README', async ({ kontor, page }) => {
  await mkdir(folder, { recursive: true })
  const take = (name: string) => page.screenshot({ path: `${folder}${name}.png` })

  for (const tool of ['picture', 'table']) await allow(kontor, tool)
  await addModel(kontor, { name: 'Evening', provider: 'scripted', script: script(evening) })
  await page.setViewportSize({ width: 1280, height: 1000 })
  await page.goto('/chats/+new')
  await begin(page, 'Draw tonight’s sky, look up what is in stock, and tell everybody that the order is in.')
  await see(messages(page).getByRole('button', { name: 'Approve once' }))
  await take('chat')
  await page.setViewportSize({ width: 1280, height: 800 })

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
  await expect.poll(() => page.getByRole('article').count()).toBe(4)
  await take('inbox')
})
