import type { Page } from 'playwright-core'
import { look } from './harness/look'
import { gone, loaded, see } from './harness/screen'
import { expect, test } from './harness/test'

const rules = (page: Page) => page.getByRole('region', { name: 'Approval policies' })
const trial = (page: Page) => page.getByRole('region', { name: 'What would happen with this call?' })
const sentences = (page: Page) => rules(page).getByRole('listitem').locator('p:first-child').allInnerTexts()

interface NewRule {
  action: 'Allow' | 'Ask first' | 'Never allow'
  server?: string
  tool?: string
}

async function add(page: Page, { action, server = '', tool = '' }: NewRule): Promise<void> {
  await rules(page).getByRole('button', { name: 'Add a rule' }).click()
  const form = page.getByRole('form', { name: 'New rule' })
  await form.getByRole('button', { name: action, exact: true }).click()
  await form.getByRole('combobox', { name: 'Server' }).fill(server)
  await form.getByRole('combobox', { name: 'Tool' }).fill(tool)
  await form.getByRole('button', { name: 'Save rule' }).click()
  await gone(form)
}

async function tryCall(page: Page, name: string, args = '{}'): Promise<void> {
  await trial(page).getByRole('combobox', { name: 'Tool' }).fill(name)
  await trial(page).getByRole('textbox', { name: 'Arguments' }).fill(args)
  await trial(page).getByRole('button', { name: 'Try it' }).click()
}

test('rules are added, tried, moved by keys, and deleted', async ({ page }) => {
  await page.goto('/settings/policies')
  await see(rules(page).getByText('Otherwise'))
  await tryCall(page, 'mcp__demo__add', '{"a": 1, "b": 2}')
  await see(trial(page).getByText('You would be asked first.'), rules(page).getByText('decides below'))

  await add(page, { action: 'Never allow', server: 'demo', tool: 'a*' })
  await add(page, { action: 'Allow', server: 'demo', tool: 'add' })
  await tryCall(page, 'mcp__demo__add')
  await see(trial(page).getByText('It would run.'), trial(page).getByText(/Rule 1 decides/))

  await rules(page).getByRole('button', { name: 'Move rule 1 down' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await sentences(page))[0]).toMatch(/^Never allow tools named a\*/)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Move rule 2 up')
  await tryCall(page, 'mcp__demo__add')
  await see(trial(page).getByText('It would be denied.'))

  await rules(page).getByRole('button', { name: 'More for rule 1' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
  await gone(rules(page).getByText('a*'))
})

test('on a phone a rule is short, its menu moves it, and the trial is one tap away', async ({
  kontor,
  page,
}) => {
  for (const tool of ['phone_first', 'phone_second']) {
    await kontor.fetch('/api/policies', {
      method: 'POST',
      body: JSON.stringify({
        action: 'ask',
        server: 'phone',
        tool,
        position: tool === 'phone_first' ? 0 : 1,
      }),
    })
  }
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/settings/policies')
  const row = rules(page).getByRole('listitem').filter({ hasText: 'phone_first' })
  await see(row)
  expect((await row.boundingBox())?.height).toBeLessThan(100)
  await gone(rules(page).getByRole('button', { name: 'Move rule 1 down' }))
  await rules(page).getByRole('button', { name: 'More for rule 1' }).click()
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await expect.poll(async () => (await sentences(page))[0]).toMatch(/second/)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toBe('More for rule 2')

  await rules(page).getByRole('button', { name: 'Try a call' }).click()
  const tool = trial(page).getByRole('combobox', { name: 'Tool' })
  await expect.poll(() => tool.evaluate((field) => field === document.activeElement)).toBe(true)
})

test('what is never allowed holds for the person, too, and is written down', async ({ kontor, page }) => {
  await kontor.fetch('/api/policies', {
    method: 'POST',
    body: JSON.stringify({ action: 'deny', server: 'demo', tool: 'fail', note: 'Not today.', position: 0 }),
  })
  const call = await kontor.start('fail', {})
  await expect.poll(async () => (await kontor.call(call.id)).state).toBe('failed')
  await page.goto('/settings/policies')
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await see(decisions.getByText('denied').first())
  await decisions.getByText('fail', { exact: true }).first().click()
  await see(
    decisions.getByText(/Not today\./).first(),
    decisions.getByRole('link', { name: 'Open the call' }),
  )
})

test('a rule made elsewhere appears by itself', async ({ kontor, page }) => {
  await page.goto('/settings/policies')
  await loaded(page)
  await kontor.fetch('/api/policies', {
    method: 'POST',
    body: JSON.stringify({ action: 'ask', tool: 'from_elsewhere' }),
  })
  await see(rules(page).getByText('from_elsewhere'))
})

test('policies look right', async ({ kontor, page }) => {
  await kontor.fetch('/api/policies', {
    method: 'POST',
    body: JSON.stringify({
      ...{ action: 'allow', server: 'demo', tool: 'ls', note: 'A note. '.repeat(20) },
      argument: { path: '/path', pattern: `/srv/${'very/'.repeat(40)}long/*` },
    }),
  })
  await page.goto('/settings/policies')
  await loaded(page)
  await tryCall(page, 'mcp__demo__ls')
  await see(trial(page).getByText('You would be asked first.'))
  expect.soft(await look(page, 'policies')).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
  await rules(page).getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('checkbox', { name: 'Only with a certain argument' }).check()
  expect.soft(await look(page, 'policies-form')).toEqual([])
})
