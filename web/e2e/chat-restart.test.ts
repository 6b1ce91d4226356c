import type { Page } from 'playwright-core'
import { beforeEach, vi } from 'vitest'
import { addModel, allowDemo, begin, card, messages, script } from './harness/chat'
import type { Kontor } from './harness/kontor'
import type { Answer } from './harness/openai'
import { gone, see } from './harness/screen'
import { expect, test } from './harness/test'
import type { Watch } from './harness/watch'

vi.setConfig({ testTimeout: 240_000 })

/** What a tab can't help to log while no one answers, and of calls that never began. */
const unreachable =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection|404 \(Not Found\)/

beforeEach<{ watch: Watch }>(({ watch }) => watch.allow(unreachable))

let models = 0
const said = (page: Page, text: string | RegExp) => messages(page).getByText(text)

async function play(kontor: Kontor, answers: Answer[], slow?: string): Promise<void> {
  const name = `Script ${++models}`
  await addModel(kontor, { name, provider: 'scripted', script: script(answers, slow) })
}

/** Switches the demo tools on when it is told to begin. */
const on: Answer = { when: 'begin', calls: [['activate_tools', '{"groups": ["demo"]}']] }

/** Kontor crashes, and is started again on the same folder. The tab stays open. */
async function crash(kontor: Kontor, page: Page): Promise<void> {
  await kontor.kill()
  await see(page.getByText('Kontor can’t be reached.'))
  await kontor.up()
  await gone(page.getByText('Kontor can’t be reached.'))
}

test('an approval that waits when Kontor crashes waits still, and is followed once', async ({
  kontor,
  page,
}) => {
  await allowDemo(kontor)
  await play(kontor, [
    on,
    { when: 'activated', calls: [['mcp__demo__sum', '{"numbers": [20, 22]}']] },
    { when: '42', says: 'It makes **42**.' },
  ])
  await begin(page, 'Begin')
  const approve = messages(page).getByRole('button', { name: 'Approve once' })
  await see(approve)
  await crash(kontor, page)
  await see(said(page, /Kontor was restarted/), approve)
  await approve.click()
  await see(messages(page).locator('strong').getByText('42'))
  expect(await card(page, 'numbers').count()).toBe(1)
  await page.reload()
  await see(messages(page).locator('strong').getByText('42'), card(page, 'numbers'))
})

test('a question of the agent that waits when Kontor crashes can be answered afterwards', async ({
  kontor,
  page,
}) => {
  await play(kontor, [
    {
      when: 'begin',
      calls: [['ask_user', '{"question": "Blue or green?", "suggestions": ["Blue", "Green"]}']],
    },
    { when: 'answered: green', says: 'Green it is.' },
  ])
  await begin(page, 'Begin to paint')
  const question = messages(page).getByRole('article').filter({ hasText: 'Blue or green?' })
  await see(question)
  await crash(kontor, page)
  await page.reload()
  await see(question, said(page, /Kontor was restarted/))
  await question.getByRole('button', { name: 'Green' }).click()
  await see(said(page, 'Green it is.'))
  expect(await question.count()).toBe(0)
})

test('a sub-agent whose call waits when Kontor crashes goes on, too', async ({ kontor, page }) => {
  await play(kontor, [
    { when: 'begin', calls: [['dispatch_agent', '{"agent": "researcher", "task": "Look it up"}']] },
    { when: 'look it up', calls: [['activate_tools', '{"groups": ["demo"]}']] },
    { when: 'activated', calls: [['mcp__demo__sum', '{"numbers": [30, 7]}']] },
    { when: '37', says: 'The helper says thirty-seven.' },
    { when: 'thirty-seven', says: 'So **be it**.' },
  ])
  await begin(page, 'Begin with a helper')
  const helper = messages(page).locator('details.sub')
  const approve = helper.getByRole('button', { name: 'Approve once' })
  await see(approve)
  await crash(kontor, page)
  await page.reload()
  await approve.click()
  await see(
    helper.getByText('The helper says thirty-seven.'),
    messages(page).locator('strong').getByText('be it'),
  )
})

test('a call that runs when Kontor crashes has an unknown outcome; the chat says so and goes on', async ({
  kontor,
  page,
}) => {
  await allowDemo(kontor)
  const confirm = '{"message": "Order it?"}'
  await play(kontor, [
    on,
    { when: 'activated', calls: [['mcp__demo__confirm', confirm]] },
    { when: 'unknown', says: 'I leave it at that.' },
  ])
  await begin(page, 'Begin to order')
  await see(messages(page).getByRole('article'))
  await crash(kontor, page)
  await see(card(page, 'Order it?').getByText('outcome unknown').first(), said(page, /restarted/))
  await page.getByRole('button', { name: 'Go on' }).click()
  await see(said(page, 'I leave it at that.'))
})

test('an answer that is being written when Kontor crashes is asked for again', async ({ kontor, page }) => {
  const long = 'One two three four five six seven eight nine ten. '.repeat(20).trim()
  await addModel(kontor, {
    ...{ name: 'Slow', provider: 'scripted' },
    script: script([{ says: long }], '60ms'),
  })
  await begin(page, 'A long story')
  await see(said(page, 'One two three'))
  await crash(kontor, page)
  await see(said(page, 'A long story'), said(page, /restarted/))
  await page.getByRole('button', { name: 'Go on' }).click()
  await see(said(page, 'One two three'))
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await see(page.getByRole('button', { name: 'Answer again' }))
})

test('a chat that is idle is the same after a crash', async ({ kontor, page }) => {
  await addModel(kontor, {
    name: 'Short',
    provider: 'scripted',
    script: script([{ says: 'That is **all**.' }]),
  })
  await begin(page, 'Say something')
  await see(said(page, 'all'), page.getByRole('button', { name: 'Answer again' }))
  await crash(kontor, page)
  await page.reload()
  await see(
    said(page, 'Say something'),
    messages(page).locator('strong'),
    page.getByRole('button', { name: 'Answer again' }),
  )
})
