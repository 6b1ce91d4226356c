import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { gone, heading, see } from './harness/screen'
import { expect, test } from './harness/test'

/** What a tab can’t help to log while no one answers. */
const unreachable =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection/

const messages = (page: Page) => page.getByRole('log', { name: 'Messages between Kontor and the server' })

/** The line of a call of a tool. */
const line = (page: Page, tool: string) =>
  messages(page)
    .locator('details')
    .filter({ has: page.getByText(tool, { exact: true }) })
    .first()

test('the trace shows each call with both sides, as it happens', async ({ kontor, page }) => {
  await page.goto('/servers/demo#trace')
  await see(messages(page).getByText('tools/list', { exact: true }))
  await kontor.start('slow', { steps: 5, delay_ms: 20 })
  const slow = line(page, 'slow')
  await see(slow.getByText('answered'), slow.getByText(/\d+ messages/))
  await slow.locator('summary').click()
  await see(
    slow.getByText('Sent'),
    slow.getByText('Answer', { exact: true }),
    slow.getByText(/progress messages, the latest/),
  )
  await see(slow.getByLabel('Sent tools/call', { exact: true }).getByText('"steps"'))

  // Several lines, and none of a call, when they aren't grouped.
  await page.getByRole('button', { name: 'Grouped by call' }).click()
  await see(messages(page).getByText('notifications/progress'))
  await page.getByRole('button', { name: 'Grouped by call' }).click()
  await gone(messages(page).getByText('notifications/progress', { exact: true }))
})

test('the trace is filtered, paused and exported', async ({ kontor, page }) => {
  await page.goto('/servers/demo#trace')
  await kontor.start('echo', { text: 'needle in the trace' })
  await see(line(page, 'echo'))
  const search = page.getByRole('searchbox', { name: 'Filter by method or text' })
  await search.fill('NEEDLE in')
  await expect.poll(() => messages(page).locator('details').count()).toBe(1)
  await search.fill('no message says this')
  await see(page.getByText('No message fits'))
  await page.getByRole('button', { name: 'Show all' }).click()
  await see(line(page, 'echo'))

  await page.getByRole('button', { name: 'Pause' }).click()
  await kontor.start('nothing')
  await see(page.getByText(/new messages?$/))
  expect(await line(page, 'nothing').count()).toBe(0)
  await page.getByRole('button', { name: 'Follow' }).click()
  await see(line(page, 'nothing'))

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('demo-trace.json')
  const { items } = JSON.parse(await readFile(await file.path(), 'utf8')) as { items: { body: string }[] }
  expect(items.some(({ body }) => body.includes('needle in the trace'))).toBe(true)
})

test('a failed call and a secret answer look like that in the trace', async ({ kontor, page }) => {
  await page.goto('/servers/demo#trace')
  await kontor.start('fail')
  await see(line(page, 'fail').getByText(/isError|error/))
  const { item, call } = await kontor.ask('ask_secret')
  await page.goto(`/inbox/${item}`)
  await page
    .getByLabel(/^Secret/)
    .and(page.locator('input'))
    .fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Send secret' }).click()
  await expect.poll(async () => (await kontor.call(call.id)).state).toBe('done')
  const trace = await (await kontor.fetch('/api/servers/demo/trace')).text()
  expect(trace).toContain('with what a person answered are not kept')
  expect(trace).not.toContain('correct horse')
})

test('a changed definition is shown until it is accepted, also after a restart', async ({
  kontor,
  page,
  watch,
}) => {
  watch.allow(unreachable)
  const notify = async (tools: string) => {
    const { id } = await kontor.start('notify', { count: 0, tools })
    await expect.poll(async () => (await kontor.call(id)).state).toBe('done')
  }
  await page.goto('/servers/demo#tools')
  await notify('add')
  await see(page.getByRole('link', { name: 'Surprise' }))
  await notify('change')
  const change = page.getByRole('region', { name: 'Changed tools' })
  await see(
    change.getByText('Surprise'),
    change.getByText(/^The server changed its hints, description and arguments/),
  )
  await see(change.getByText('"readOnlyHint"'), change.getByText('changed', { exact: true }))
  await page.getByRole('navigation', { name: 'Demo' }).getByRole('link', { name: 'Overview' }).click()
  await see(page.getByText('“Surprise” is not the tool that you know.'))
  await page.goto('/tools')
  await page.getByRole('group', { name: 'Show' }).getByText('Changed').click()
  await page.getByRole('link', { name: /^Surprise changed/ }).click()
  await see(page.getByRole('region', { name: 'What changed in Surprise' }).getByText('"readOnlyHint"'))
  await page.goto('/servers/demo')
  await page.getByRole('link', { name: 'Review the change' }).click()
  await change.getByRole('button', { name: 'Accept the new version' }).click()
  await gone(change)

  // What it was when it was accepted is what is known, whoever asks and when.
  await kontor.down()
  await kontor.up()
  await page.goto('/servers/demo#tools')
  await see(heading(page, 'Demo'))
  await notify('add')
  await see(change.getByText(/changed/).first())
  await kontor.down()
  await kontor.up()
  await page.goto('/servers/demo#tools')
  await notify('add')
  await see(change.getByText('Surprise'))
})

/** A server of two tools, described by what is in a file. */
const described = `
  const { readFileSync } = require('node:fs')
  const tool = (name) => ({ name, description: readFileSync(process.env.WORDS, 'utf8'), inputSchema: { type: 'object' } })
  const results = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: ['one', 'two'].map(tool) },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'none' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

test('all changes of a server are seen in the list of servers, and accepted at once', async ({
  kontor,
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-words-'))
  const words = join(folder, 'words')
  await writeFile(words, 'Does this.')
  const env = { WORDS: { value: words, plain: true } }
  await kontor.addServer({ name: 'shifty', command: process.execPath, args: ['-e', described], env })
  await page.goto('/servers/shifty#tools')
  await see(page.getByRole('link', { name: 'one', exact: true }))
  await writeFile(words, 'Does that.')
  await kontor.fetch('/api/servers/shifty/reconnect', { method: 'POST' })
  await page.goto('/servers')
  await see(page.getByText('2 tools are not what you know them as.'))
  await page.getByRole('link', { name: 'Review the changes' }).click()
  const change = page.getByRole('region', { name: 'Changed tools' })
  await see(change.getByText('Does that.'))
  await change.getByRole('button', { name: 'Accept all 2' }).click()
  await see(page.getByText('2 changes were accepted.'))
  await gone(change)
  await kontor.deleteServer('shifty')
  await rm(folder, { recursive: true })
})
