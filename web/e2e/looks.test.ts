import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { gone, heading, loaded, openTool, question, run, see } from './harness/screen'
import { look } from './harness/look'
import { expect, test } from './harness/test'

// Four pictures and four runs of axe for each screen.
vi.setConfig({ testTimeout: 300_000 })

/** Fails with all that is wrong at once. */
async function fine(page: Page, name: string): Promise<void> {
  expect.soft(await look(page, name)).toEqual([])
}

test('before signing in', async ({ kontor, open }) => {
  const { page, watch } = await open({ signedOut: true })
  await page.goto('/login')
  await fine(page, 'login')
  await page.goto(await kontor.newLink())
  await page.goto('/setup')
  await see(heading(page, 'Welcome'))
  await fine(page, 'setup')
  watch.allow(/console: Failed to load resource.* 404 /)
  await page.goto('/inbox/no-such-item')
  await see(page.getByRole('heading', { level: 1 }))
  await fine(page, 'error')
  await page.goto('/api/docs')
  await see(heading(page, 'API'))
  await fine(page, 'api-docs')
})

test('the inbox', async ({ kontor, page }) => {
  await page.goto('/inbox')
  await see(page.getByText('Nothing waits for you'))
  await fine(page, 'inbox-empty')
  const link = await kontor.ask('ask_link', { url: 'https://exаmple.com/confirm?demo=1' })
  const secret = await kontor.ask('ask_secret')
  const form = await kontor.ask('ask_form')
  await kontor.ask('confirm')
  await kontor.ask('ask_odd')
  await see(question(page, form.item), question(page, link.item), question(page, secret.item))
  await question(page, form.item).getByRole('button', { name: 'Accept' }).click()
  await see(question(page, form.item).getByText('Fill this in'))
  await fine(page, 'inbox')
  for (const [name, { item }] of Object.entries({ form, secret, link })) {
    await page.goto(`/inbox/${item}`)
    await see(page.getByRole('heading', { level: 1 }))
    await fine(page, `item-${name}`)
  }
})

test('the tools', async ({ page }) => {
  await page.goto('/tools')
  await see(page.getByText('Pick one from the list'), page.getByRole('link', { name: 'Echo' }))
  await fine(page, 'tools')
  for (const tool of ['table', 'markup', 'fail', 'big']) {
    await openTool(page, tool)
    await see((await run(page)).getByText(/Rows 1|Heading|says that it failed|not shown/))
    await fine(page, `tools-${tool}`)
  }
  await openTool(page, 'mixed')
  await see((await run(page)).getByRole('img'))
  await fine(page, 'tools-mixed')
  await openTool(page, 'ask_form')
  await see((await run(page)).getByRole('article'))
  await fine(page, 'tools-question')
  await openTool(page, 'slow')
  await page.getByRole('textbox', { name: 'Steps' }).fill('1000')
  await see((await run(page)).getByRole('progressbar'))
  await fine(page, 'tools-running')
})

test('resources and prompts', async ({ page }) => {
  await page.goto('/tools?list=resources')
  await page.getByRole('link', { name: 'About this server' }).click()
  await page.getByRole('button', { name: 'Read through the server' }).click()
  await see(page.getByText(/demo server|Kontor demo/).last())
  await fine(page, 'tools-resource')
  await page.goto('/tools?list=prompts')
  await page.getByRole('link', { name: 'Poem' }).click()
  await page.getByLabel(/^Topic/).fill('the sea')
  await page.getByRole('button', { name: 'Get messages' }).click()
  await see(page.getByText('Write a haiku about the sea.'))
  await fine(page, 'tools-prompt')
})

test('a changed tool, and the trace of calls', async ({ kontor, page }) => {
  await kontor.start('notify', { count: 0, tools: 'add' })
  await page.goto('/servers/demo#tools')
  await see(page.getByRole('link', { name: 'Surprise' }))
  await kontor.start('notify', { count: 0, tools: 'change' })
  await see(page.getByRole('button', { name: 'Accept the new version' }))
  await fine(page, 'server-changed')
  await page.goto('/servers/demo')
  await see(page.getByText('is not the tool that you know'))
  await fine(page, 'server-changed-overview')
  await page.goto('/tools/mcp__demo__surprise')
  await see(page.getByRole('region', { name: 'What changed in Surprise' }))
  await fine(page, 'tools-changed')
  await kontor.start('slow', { steps: 3, delay_ms: 20 })
  await kontor.start('fail')
  await page.goto('/servers/demo#trace')
  for (const tool of ['slow', 'fail']) {
    await page
      .getByRole('log')
      .locator('details')
      .filter({ has: page.getByText(tool, { exact: true }) })
      .first()
      .locator('summary')
      .click()
  }
  await see(page.getByText('progress messages, the latest'))
  await fine(page, 'server-trace-open')
})

test('the servers', async ({ kontor, page, watch }) => {
  watch.allow(/console: Failed to load resource.* 422 /)
  const away = { name: 'away', friendly_name: 'Gone away', transport: 'stdio', command: '/nowhere/at-all' }
  await kontor.addServer(away)
  await kontor.addServer({ name: 'off', transport: 'http', url: 'https://example.com/mcp', enabled: false })
  await page.goto('/servers')
  await see(page.getByText('disabled').first(), page.getByText('failed').first())
  await fine(page, 'servers')
  for (const tab of ['overview', 'tools', 'resources', 'prompts', 'log', 'trace', 'settings']) {
    await page.goto(`/servers/demo#${tab}`)
    await see(heading(page, 'Demo'))
    await loaded(page)
    await fine(page, `server-${tab}`)
  }
  await page.getByText('Time limits').click()
  await page.getByText('Advanced').click()
  await page.getByRole('textbox', { name: 'Largest message' }).fill('huge')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await see(page.getByText('Write a size'))
  await fine(page, 'server-limits')
  await page.goto('/servers/away')
  await see(heading(page, 'Gone away'))
  await fine(page, 'server-failed')
  await kontor.deleteServer('away')
  await kontor.deleteServer('off')
  await kontor.deleteServer('demo')
  await page.goto('/servers')
  await see(page.getByText('No server is connected yet'))
  await fine(page, 'servers-empty')
  await page.getByRole('button', { name: 'Add the demo server' }).click()
  await see(page.getByText('ready', { exact: true }))
})

test('adding servers', async ({ page, watch }) => {
  watch.allow(/console: Failed to load resource.* 422 /)
  await page.goto('/servers')
  await page.getByRole('link', { name: 'Add server' }).click()
  await page.getByRole('textbox', { name: /^Command/ }).fill('/nowhere/else')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByRole('button', { name: 'Test and save' }).click()
  await see(page.getByText(/Nothing is saved|needs? a look/))
  await fine(page, 'server-new')
  await page.getByRole('textbox', { name: 'Paste anything' }).fill('/bin/sh -c "exit 3"')
  await see(page.getByText(/^Recognised/))
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await see(page.getByText(/^stopped at step/))
  await fine(page, 'server-tested')
  await page.goto('/servers')
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill('{"a":{"command":"npx"},"b":{"url":"https://b.example"}}')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await see(page.getByText(/^Recognised/))
  await fine(page, 'server-import')
})

test('activity', async ({ kontor, page }) => {
  await kontor.start('echo', { text: 'hello' })
  await kontor.start('fail')
  await page.goto('/activity')
  const row = page.getByRole('link', { name: /Failure/ })
  await see(row)
  await fine(page, 'activity')
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('tool error')
  await gone(page.getByRole('link', { name: /Echo/ }))
  await fine(page, 'activity-errors')
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('rejected')
  await see(page.getByText('No call fits'))
  await fine(page, 'activity-none')
  await page.getByRole('button', { name: 'Show all' }).click()
  await row.first().click()
  await see(page.getByText('The tool says that it failed').last())
  await fine(page, 'activity-call')
})

test('the settings', async ({ page }) => {
  for (const section of ['access', 'secrets', 'appearance', 'about']) {
    await page.goto(`/settings/${section}`)
    await see(heading(page, 'Settings'))
    await loaded(page)
    await fine(page, `settings-${section}`)
  }
  await page.goto('/settings/access')
  await page.getByRole('button', { name: 'New token' }).click()
  await fine(page, 'settings-token')
})

test('what lies above a page', async ({ page }) => {
  await page.goto('/tools')
  await see(page.getByRole('link', { name: 'Echo' }))
  await page.keyboard.press('Control+k')
  await see(page.getByRole('combobox', { name: 'Find or run' }))
  await fine(page, 'palette')
  await page.keyboard.press('Escape')
  await gone(page.getByRole('combobox', { name: 'Find or run' }))
  await page.keyboard.press('?')
  await see(page.getByRole('dialog', { name: 'Keys' }))
  await fine(page, 'keys')
  await page.goto('/servers')
  await page.getByRole('button', { name: 'More for Demo' }).click()
  await see(page.getByRole('menuitem', { name: 'Delete' }))
  await fine(page, 'menu')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await see(page.getByRole('dialog'))
  await fine(page, 'delete')
})
