import type { Locator, Page } from 'playwright-core'
import { Agent } from './harness/agent'
import { look } from './harness/look'
import { gone, loaded, see } from './harness/screen'
import { expect, test } from './harness/test'

/** Asks for a sum each time it is told to, and says so when it is done. */
const sums = `loop
turn calculate
call mcp__demo__sum {"numbers": [1, 2]}
turn
say That was it.
`

const card = (page: Page): Locator => page.getByRole('article').filter({ hasText: 'numbers' })
const idle = (agent: Agent) => expect.poll(() => agent.state()).toBe('idle')

async function asked(page: Page, agent: Agent): Promise<Locator> {
  await page.goto('/inbox')
  await agent.say('calculate')
  await see(card(page))
  return card(page)
}

test('an approval shows what will run; keys never approve by accident', async ({ kontor, page }) => {
  const agent = await Agent.start(kontor, 'Keys', sums)
  const item = await asked(page, agent)
  await see(
    item.getByText('sum', { exact: true }),
    item.getByText('says it only reads'),
    item.getByRole('link', { name: 'for chat “Keys”' }),
  )
  await page.keyboard.press('Enter')
  await page.keyboard.press('a')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toMatch(/^Reject/)
  expect(await agent.state()).toBe('waiting')
  await page.keyboard.press('a')
  await gone(item)
  await see(page.getByText('was approved once.'))
  await idle(agent)
  expect(await agent.transcript()).toContain('That was it.')
})

test('a rejection takes its note to the agent, and nothing runs', async ({ kontor, page }) => {
  const agent = await Agent.start(kontor, 'Note', sums)
  const item = await asked(page, agent)
  await item.getByRole('button', { name: 'Add a note' }).click()
  await item.getByRole('textbox', { name: 'Why not' }).fill('Use your own head.')
  await item.getByRole('button', { name: 'Reject' }).click()
  await gone(item)
  await idle(agent)
  expect(await agent.transcript()).toContain('Use your own head.')
})

test('approved for a chat, it runs there without asking, and asks elsewhere', async ({ kontor, page }) => {
  const agent = await Agent.start(kontor, 'Here', sums)
  const item = await asked(page, agent)
  await item.getByRole('button', { name: 'Approve for this chat' }).click()
  await gone(item)
  await idle(agent)
  await agent.say('calculate')
  await idle(agent)
  const other = await Agent.start(kontor, 'There', sums)
  await other.say('calculate')
  await see(card(page).getByText('There'))
  await card(page).getByRole('button', { name: 'Reject' }).click()
  await idle(other)
})

test('allowed for good, it is a rule', async ({ kontor, page }) => {
  const agent = await Agent.start(kontor, 'Always', sums)
  const item = await asked(page, agent)
  await item.getByRole('button', { name: 'Always allow this tool' }).click()
  await gone(item)
  await idle(agent)
  await page.goto('/settings/policies')
  const rules = page.getByRole('region', { name: 'Approval policies' })
  await see(rules.getByText('sum', { exact: true }))
  await see(page.getByRole('region', { name: 'Decisions' }).getByText(/by you, for good/))
  const other = await Agent.start(kontor, 'Later', sums)
  await other.say('calculate')
  await idle(other)
  await rules.getByRole('button', { name: 'More for rule 1' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
  await gone(rules.getByText('sum', { exact: true }))
})

test('answered in another tab, the card leaves with a word on it', async ({ kontor, open, page }) => {
  const agent = await Agent.start(kontor, 'Tabs', sums)
  const item = await asked(page, agent)
  const { page: other } = await open()
  await other.goto('/inbox')
  await card(other).getByRole('button', { name: 'Approve once' }).click()
  await gone(item)
  await see(page.getByText('was approved once in another tab.'))
  await idle(agent)
})

test('the same card stands in the chat, at the call', async ({ kontor, page }) => {
  const agent = await Agent.start(kontor, 'In place', sums)
  await page.goto(`/chats/${agent.id}`)
  await agent.say('calculate')
  const item = card(page)
  await see(item.getByRole('heading', { name: 'Sum' }), item.getByRole('button', { name: 'Reject' }))
  await item.getByRole('button', { name: 'Approve once' }).click()
  await see(page.getByText('That was it.'))
  await gone(item)
})

test('an approval outlives a restart, and is executed once', async ({ kontor, page, watch }) => {
  watch.allow(/ERR_|WebSocket connection|50\d of/)
  const agent = await Agent.start(kontor, 'Restart', sums)
  await asked(page, agent)
  await kontor.kill()
  await kontor.up()
  await page.goto('/inbox')
  const item = card(page)
  await see(item)
  await item.getByRole('button', { name: 'Approve once' }).click()
  await gone(item)
  await idle(agent)
  const calls = (await (await kontor.fetch(`/api/calls?session=${agent.id}`)).json()) as {
    items: { session_id: string; state: string }[]
  }
  const own = calls.items.filter(({ session_id }) => session_id === agent.id)
  expect(own.map(({ state }) => state)).toEqual(['done'])
})

test('an agent asks and tells: a suggestion, other words, a message', async ({ kontor, page }) => {
  const agent = await Agent.start(
    kontor,
    'Tea',
    `loop
turn ask
call ask_user {"question": "Tea or coffee?", "suggestions": ["Tea", "Coffee"]}
turn tell
call notify {"title": "The kettle boils", "message": "It has been a while."}
turn
say Noted.
`,
  )
  await page.goto('/inbox')
  await agent.say('ask')
  const item = page.getByRole('article', { name: 'Tea or coffee?' })
  await item.getByRole('button', { name: 'Coffee' }).click()
  await gone(item)
  await idle(agent)
  expect(await agent.transcript()).toContain('Coffee')
  await agent.say('ask')
  await item.getByRole('textbox', { name: 'Or in your own words' }).fill('Water, please')
  await item.getByRole('button', { name: 'Answer' }).click()
  await gone(item)
  await idle(agent)
  expect(await agent.transcript()).toContain('Water, please')

  await agent.say('tell')
  const told = page.getByRole('article', { name: 'The kettle boils' })
  await see(told.getByText('It has been a while.'))
  await told.getByRole('button', { name: 'Dismiss' }).click()
  await gone(told)
  await idle(agent)
})

test('approvals and questions look right', async ({ kontor, page }) => {
  const agent = await Agent.start(
    kontor,
    `A chat with a name of ${'many '.repeat(8)}words`,
    `turn
call mcp__demo__notify {"command": "sudo rm -rf /srv/${'deep/'.repeat(40)}", "old_string": "one\\ntwo", "new_string": "one\\nthree", "note": "a\u202eb", "password": "hunter2", "many": [1, 2, 3]}
`,
  )
  const other = await Agent.start(
    kontor,
    'Other',
    `turn
call ask_user {"question": "Which of these many days would be the best one to begin with the work on the roof?", "suggestions": ["Monday", "Any other day of the week, but for Sunday, when nobody works on roofs"]}
`,
  )
  await page.goto('/inbox')
  await agent.say('go')
  await other.say('go')
  await see(page.getByRole('button', { name: 'Approve once' }), page.getByRole('button', { name: 'Monday' }))
  await loaded(page)
  expect.soft(await look(page, 'approvals')).toEqual([])
  await page.getByRole('button', { name: 'Add a note' }).click()
  expect.soft(await look(page, 'approvals-note')).toEqual([])
  await page.getByRole('button', { name: 'Decline' }).focus()
  expect.soft(await look(page, 'approvals-question')).toEqual([])
})
