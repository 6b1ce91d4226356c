import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { addModel, allowDemo, begin, card, everything, messages, script, write } from './harness/chat'
import { OpenAI } from './harness/openai'
import { gone, inView, see } from './harness/screen'
import { expect, test } from './harness/test'

vi.setConfig({ testTimeout: 240_000 })

const stop = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true }).last()
const said = (page: Page, text: string | RegExp) => messages(page).getByText(text)

/** After a reload the same is there to be seen. */
async function again(page: Page, ...texts: (string | RegExp)[]): Promise<void> {
  await page.reload()
  for (const text of texts) await see(said(page, text))
}

/** Walks through a turn that shows all there is, with a reload at every stage. */
async function walk(page: Page): Promise<void> {
  await begin(page, 'Show me everything')
  await see(said(page, 'Show me everything'), said(page, 'I switch the demo tools on.'))
  await see(said(page, 'Switched on tools'))
  await see(card(page, 'numbers').getByRole('button', { name: 'Approve once' }))
  await see(messages(page).getByRole('img'))
  await again(page, 'Three at once.', 'Now the sum.')
  const approve = messages(page).getByRole('button', { name: 'Approve once' })
  await inView(approve)
  await see(page.getByText('One thing waits for you.'))

  const table = card(page, 'count')
  await table.locator('summary').first().click()
  await table.getByRole('button', { name: 'Tree' }).click()
  await see(table.getByRole('tree'))

  await approve.click()
  const yes = messages(page)
    .getByRole('article')
    .getByRole('button', { name: /^Yes|^Accept/ })
  await see(yes)
  await again(page, 'Now the sum.', 'And a question.')
  await yes.click()
  await see(said(page, 'A helper looks it up.'), said(page, 'done'))
  await again(page, 'Show me everything', 'A helper looks it up.')
  const helper = messages(page).locator('details.sub')
  await helper.locator('summary').first().click()
  await see(helper.getByText('The helper found it.'))
  await see(messages(page).locator('strong').getByText('done'))
  await see(page.getByRole('button', { name: 'Answer again' }))
}

test('a scripted turn: tools in parallel, an approval, a form, a picture, a tree, a sub-agent', async ({
  kontor,
  page,
}) => {
  await allowDemo(kontor)
  await addModel(kontor, { name: 'Scripted', provider: 'scripted', script: script(everything) })
  await walk(page)
})

test('the same with a provider that speaks as OpenAI does', async ({ kontor, page, onTestFinished }) => {
  const provider = await OpenAI.start()
  onTestFinished(() => provider.close())
  provider.answers = [...everything]
  await addModel(kontor, {
    ...{ name: 'Fake', provider: 'openai', base_url: provider.url, model: 'gpt-x', api_key: 'sk-test' },
  })
  await walk(page)
})

test('a turn is stopped halfway, and goes on', async ({ kontor, page }) => {
  const long = 'One two three four five six seven eight nine ten eleven twelve. '.repeat(8).trim()
  await addModel(kontor, {
    ...{ name: 'Slow', provider: 'scripted' },
    script: script([{ says: long }, { says: 'Here is the rest.' }], '80ms'),
  })
  await begin(page, 'Tell me a long story')
  await see(said(page, 'One two three'))
  await write(page, 'And make it short')
  await see(said(page, 'And make it short'))
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await gone(stop(page))
  await again(page, 'One two three', 'And make it short')
  expect(await messages(page).innerText()).not.toContain(long)
  await page.getByRole('button', { name: /Go on|Try again/ }).click()
  await see(said(page, 'Here is the rest.'))
})

test('a message is said anew in its place, and the chat is found, renamed and deleted', async ({
  kontor,
  page,
}) => {
  await addModel(kontor, {
    ...{ name: 'Twice', provider: 'scripted' },
    script: script([{ says: 'The first answer.' }, { says: 'The second answer.' }]),
  })
  await begin(page, 'A question with a tpyo')
  await see(said(page, 'The first answer.'))
  await said(page, 'A question with a tpyo').hover()
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  await page.getByRole('textbox', { name: 'Your message' }).fill('A question without one')
  await page.getByRole('button', { name: 'Send again' }).click()
  await see(said(page, 'The second answer.'))
  expect(await said(page, 'The first answer.').count()).toBe(0)
  await again(page, 'A question without one', 'The second answer.')

  const chats = page.getByRole('navigation', { name: 'Chats' })
  await chats.getByRole('searchbox').fill('second answer')
  await see(chats.getByRole('link', { name: /A question/ }))
  await page.getByRole('button', { name: 'Change the title' }).click()
  await page.getByRole('textbox', { name: 'Title of the chat' }).fill('Typing')
  await page.keyboard.press('Enter')
  await see(page.getByRole('heading', { level: 1, name: 'Typing' }))
  await expect.poll(() => page.title()).toBe('Typing · Kontor')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More for Typing' }).last().click()
  await page.getByRole('menuitem', { name: 'Export as Markdown' }).click()
  expect((await download).suggestedFilename()).toBe('Typing.md')
  await page.getByRole('button', { name: 'More for Typing' }).last().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete chat' }).click()
  await page.waitForURL(/\/chats$/)
  expect(await chats.getByRole('link', { name: /Typing/ }).count()).toBe(0)
})

test('a resource, a prompt and a file go along', async ({ kontor, page }) => {
  await addModel(kontor, {
    name: 'Along',
    provider: 'scripted',
    script: script([{ says: 'I have seen it.' }]),
  })
  await page.goto('/chats/+new')
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('See ')
  await field.press('End')
  await field.pressSequentially('@about')
  await see(page.getByRole('option', { name: /About this server/ }))
  await field.press('Enter')
  const along = page.getByRole('list', { name: 'Goes along' })
  await see(along.getByText('About this server'))
  expect(await field.inputValue()).toBe('See ')
  await field.press('End')
  await field.pressSequentially('@greet')
  await page.getByRole('option', { name: /Greeting/ }).click()
  await page.getByRole('dialog').getByLabel('name').fill('Ada')
  await page.getByRole('button', { name: 'Add to the message' }).click()
  await see(along.getByText('demo://greeting/Ada'))
  await page.getByRole('button', { name: 'Use a prompt' }).click()
  await page.getByRole('option', { name: /Poem/ }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Topic/)
    .fill('the sea')
  await page.getByRole('button', { name: 'Add to the message' }).click()
  const input = page.locator('.composer input[type=file]')
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') })
  await see(along.getByText('notes.txt'), along.getByText('Poem'))
  await expect.poll(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true)
  await page.reload()
  await see(along.getByText('notes.txt'), along.getByText('Poem'))
  await along.getByRole('button', { name: 'Take out About this server' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await see(
    said(page, 'I have seen it.'),
    said(page, 'notes.txt'),
    said(page, 'demo://greeting/Ada'),
    said(page, /Prompt “/),
  )
})

test('a file is dropped anywhere on a chat, and nowhere does it replace the page', async ({
  kontor,
  page,
}) => {
  await addModel(kontor, { name: 'Drop', provider: 'scripted', script: script([{ says: 'Ready.' }]) })
  await begin(page, 'Wait for a file')
  await see(said(page, 'Ready.'))
  const dataTransfer = await page.evaluateHandle(() => {
    const files = new DataTransfer()
    files.items.add(new File(['A note.'], 'dropped.txt', { type: 'text/plain' }))
    return files
  })
  await messages(page).dispatchEvent('dragover', { dataTransfer })
  await see(page.getByText('Let go to attach it'))
  await messages(page).dispatchEvent('drop', { dataTransfer })
  await see(page.getByRole('list', { name: 'Goes along' }).getByText('dropped.txt'))
  await gone(page.getByText('Let go to attach it'))
  const prevented = await page
    .getByRole('navigation')
    .first()
    .evaluate(
      (rail, dataTransfer) =>
        ['dragover', 'drop'].map(
          (type) =>
            !rail.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
        ),
      dataTransfer,
    )
  expect(prevented).toEqual([true, true])
})
