import { afterAll, beforeAll, vi } from 'vitest'
import { brokenPeers, type BrokenPeers } from './harness/brokenpeers'
import { brokenServers } from './harness/brokenservers'
import { knownCodes, unreachableCodes } from './harness/codes'
import { gone, see } from './harness/screen'
import { expect, test } from './harness/test'

interface Stages {
  stages: { ok: boolean; code?: string }[]
}

let peers: BrokenPeers
beforeAll(async () => {
  peers = await brokenPeers()
})
afterAll(() => peers.close())

test('each code has a server that shows it, or a reason why there is none', async () => {
  const shown = new Set(brokenServers(peers).map(({ code }) => code))
  const known = await knownCodes()
  expect(known.filter((code) => !shown.has(code))).toEqual(Object.keys(unreachableCodes).sort())
  expect([...shown].filter((code) => !known.includes(code))).toEqual([])
})

// Some fifty servers, each of which is started and asked.
vi.setConfig({ testTimeout: 300_000 })

test('each way to be broken is told by its stage, cause, evidence and fix; nothing is saved', async ({
  kontor,
  page,
}) => {
  await page.goto('/servers')
  await page.getByRole('link', { name: 'Add server' }).click()
  const form = page.getByRole('complementary', { name: 'Add a server' })
  const result = form.getByRole('region', { name: 'Test' })
  for (const { code, config, typed, stage, cause, fix, evidence } of brokenServers(peers)) {
    const read = page.waitForResponse((response) => response.url().endsWith('/api/servers/import'))
    await form.getByRole('textbox', { name: 'Paste anything' }).fill(JSON.stringify({ broken: config }))
    await read
    await gone(result)
    await see(form.getByText(/^Recognised: one server/))
    if (typed) await form.getByRole('textbox', { name: /^Address/ }).fill(typed)
    const tested = page.waitForResponse(
      (response) => new URL(response.url()).pathname === '/api/servers/test',
    )
    await form.getByRole('button', { name: 'Test', exact: true }).click()
    const { stages } = (await (await tested).json()) as Stages
    expect.soft(stages.find(({ ok, code: said }) => !ok || said)?.code).toBe(code)
    await see(result.getByText(stage ? /^stopped at step/ : /^all \d+ steps/))
    const told = stage ? result.locator('.stage.is-bad') : result
    expect.soft(await told.innerText(), code).toMatch(new RegExp(`${stage}[\\s\\S]*${cause.source}`))
    expect.soft(await result.locator('.notice').first().innerText(), code).toMatch(fix)
    if (evidence) expect.soft(await result.locator('pre').innerText(), code).toMatch(evidence)
    const keeps = !stage || code === 'needs_sign_in'
    expect.soft(await form.getByRole('button', { name: 'Save', exact: true }).isEnabled(), code).toBe(keeps)
  }
  expect(await kontor.servers()).not.toContain('broken')
})

test('a file of another host is imported: chosen servers, turned off', async ({ kontor, page }) => {
  await page.goto('/servers')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import servers' })
  await dialog.getByRole('button', { name: 'Text', exact: true }).click()
  await dialog
    .getByRole('textbox', { name: 'Text' })
    .fill(
      '{"mcpServers":{"first":{"command":"a","env":{"K":"s3cret-value"}},"other":{"url":"https://b.example/mcp"}}}',
    )
  await dialog.getByRole('button', { name: 'Read', exact: true }).click()
  await see(dialog.getByText('Recognised: two servers, from a Claude Desktop snippet'))
  await dialog.getByRole('checkbox', { name: /^other/ }).uncheck()
  await dialog.getByRole('button', { name: 'Add 1 server' }).click()
  await see(page.getByRole('link', { name: 'first' }))
  expect(await kontor.servers()).toContain('first')
  expect(await kontor.servers()).not.toContain('other')
  await kontor.deleteServer('first')
})
