import type { Locator, Page } from 'playwright-core'
import { beforeEach, vi } from 'vitest'
import { addFake, messages, openNew, write } from './harness/chat'
import { Kontor } from './harness/kontor'
import { look } from './harness/look'
import { OpenAI, type Answer } from './harness/openai'
import { gone, inView, see } from './harness/screen'
import { expect, test } from './harness/test'

vi.setConfig({ testTimeout: 240_000 })
const said = (page: Page, text: string | RegExp) => messages(page).getByText(text)
const last = (provider: OpenAI) => provider.bodies.at(-1) ?? ''

/** What an agent asks for, in the chat. */
const asked = (page: Page, what: string): Locator =>
  messages(page).getByRole('article').filter({ hasText: what })

let provider: OpenAI
beforeEach(async () => {
  provider = await OpenAI.start()
  return () => provider.close()
})

const second = { name: 'second', transport: 'stdio', command: Kontor.bin, args: ['server', 'demo'] }
const call = (name: string, args: unknown): Answer => ({ calls: [[name, JSON.stringify(args)]] })
const activate = (group: string) => call('activate_tools', { groups: [group] })

test('an agent adds a server once the person approves, and uses it in the same turn', async ({
  kontor,
  page,
}) => {
  await addFake(kontor, 'fake', provider)
  provider.answers = [
    activate('config'),
    call('register_mcp', { ...second, description: 'The first try' }),
    call('register_mcp', { ...second, description: 'The second try' }),
    activate('second'),
    call('mcp__second__echo', { text: 'over there' }),
    { says: 'It is **set up**.' },
  ]
  await openNew(kontor, page, 'Set up')
  await write(page, 'Add the second server')
  const first = asked(page, 'The first try')
  await see(first.getByText(`${Kontor.bin} server demo`))
  await see(first.getByText('This changes what your machine runs.'))
  expect(await first.getByRole('button', { name: /Always|for this chat/ }).count()).toBe(0)
  expect.soft(await look(page, 'chat-config')).toEqual([])
  expect(await kontor.servers()).toEqual(['demo'])
  await first.getByRole('button', { name: 'Add a note' }).click()
  await first.getByRole('textbox', { name: 'Why not' }).fill('Describe it better.')
  await first.getByRole('button', { name: 'Reject' }).click()

  const again = asked(page, 'The second try')
  await inView(again.getByRole('button', { name: 'Approve once' }))
  expect(last(provider)).toContain('Describe it better.')
  expect(await kontor.servers()).toEqual(['demo'])
  await again.getByRole('button', { name: 'Approve once' }).click()
  const echo = asked(page, 'over there')
  await see(echo)
  expect(last(provider)).toContain('mcp__second__echo')
  expect(await kontor.servers()).toEqual(['demo', 'second'])
  await echo.getByRole('button', { name: 'Approve once' }).click()
  await see(messages(page).locator('strong').getByText('set up'))
  expect(last(provider)).toContain('over there')
  expect(provider.requests).toHaveLength(6)

  provider.answers = [
    call('toggle_item', { kind: 'mcp', id: 'second', enabled: false }),
    call('delete_mcp', { name: 'second' }),
    { says: 'It is **gone**.' },
  ]
  await write(page, 'Take it away')
  const off = asked(page, 'Switches off the server second.')
  await see(off.getByText(`It runs: ${Kontor.bin} server demo`))
  await off.getByRole('button', { name: 'Approve once' }).click()
  const away = asked(page, 'Deletes the server second for good')
  await inView(away.getByRole('button', { name: 'Approve once' }))
  const { items } = (await (await kontor.fetch('/api/servers')).json()) as {
    items: { name: string; enabled: boolean }[]
  }
  expect(items.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['demo', true],
    ['second', false],
  ])
  await away.getByRole('button', { name: 'Approve once' }).click()
  await see(messages(page).locator('strong').getByText('gone'))
  expect(await kontor.servers()).toEqual(['demo'])
})

test('an agent has the person type a secret, which no model is sent', async ({ kontor, page }) => {
  const secret = 'correct-horse-battery-staple'
  await addFake(kontor, 'discreet', provider)
  provider.answers = [
    activate('config'),
    call('set_secret', { name: 'WEATHER_KEY' }),
    call('list_secrets', {}),
    { says: 'I **never saw it**.' },
  ]
  await openNew(kontor, page, 'A secret')
  await write(page, 'Ask me for the key')
  const form = asked(page, 'WEATHER_KEY')
  const field = form.getByLabel(/^Secret WEATHER_KEY/)
  await see(field)
  expect(await field.getAttribute('type')).toBe('password')
  await field.fill(secret)
  await form.getByRole('button', { name: 'Keep it sealed' }).click()
  await gone(form)
  await see(messages(page).locator('strong').getByText('never saw it'))
  expect(last(provider)).toContain('The person has set the secret WEATHER_KEY.')
  expect(provider.bodies.filter((body) => body.includes(secret))).toEqual([])
  await page.reload()
  await see(messages(page).locator('strong').getByText('never saw it'))
  expect(await page.content()).not.toContain(secret)
})

test('another model takes over, between turns and in the midst of one', async ({
  kontor,
  page,
  onTestFinished,
}) => {
  const other = await OpenAI.start()
  onTestFinished(() => other.close())
  await addFake(kontor, 'Quick', provider)
  await addFake(kontor, 'Thorough', other, { default: false })
  const choice = page.getByRole('combobox', { name: 'Model' })
  const by = (model: string) =>
    messages(page)
      .locator('.said-foot')
      .getByText(new RegExp(`^${model}\\b`))

  await openNew(kontor, page, 'Two models')
  provider.answers = [{ says: 'Quick as ever.', read: 100 }]
  await write(page, 'Who is there?')
  await see(said(page, 'Quick as ever.'), by('Quick'))
  await choice.selectOption('Thorough')
  await expect.poll(() => choice.inputValue()).toBe('Thorough')
  other.answers = [{ says: 'With care.', read: 100 }]
  await write(page, 'And now?')
  await see(said(page, 'With care.'), by('Thorough'))
  expect(last(other)).toContain('Quick as ever.')

  // While a question waits, the turn is on its way.
  other.answers = [call('ask_user', { question: 'Tea or coffee?', suggestions: ['Tea', 'Coffee'] })]
  await write(page, 'What shall I drink?')
  const question = asked(page, 'Tea or coffee?')
  await see(question)
  await choice.selectOption('Quick')
  await expect.poll(() => choice.inputValue()).toBe('Quick')
  provider.answers = [{ says: 'Tea it is.', read: 100 }]
  await question.getByRole('button', { name: 'Tea' }).click()
  await see(said(page, 'Tea it is.'))
  await expect.poll(() => by('Quick').count()).toBe(2)
  expect(last(provider)).toContain('With care.')

  // An answer that is being written is its model's to the end.
  const free = provider.hold()
  provider.answers = [{ says: 'To the end.', read: 100 }]
  await write(page, 'Who finishes this?')
  await expect.poll(() => last(provider).includes('Who finishes this?')).toBe(true)
  await choice.selectOption('Thorough')
  await expect.poll(() => choice.inputValue()).toBe('Thorough')
  free()
  await see(said(page, 'To the end.'))
  await expect.poll(() => by('Quick').count()).toBe(3)
  await page.reload()
  await see(said(page, 'To the end.'))
  expect(await by('Quick').count()).toBe(3)
  expect(await choice.inputValue()).toBe('Thorough')
})
