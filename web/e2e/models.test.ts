import type { Page } from 'playwright-core'
import { look } from './harness/look'
import { OpenAI } from './harness/openai'
import { gone, loaded, see } from './harness/screen'
import { expect, test as base } from './harness/test'

const test = base.extend('openai', { scope: 'file' }, async ({}, { onCleanup }) => {
  const openai = await OpenAI.start()
  onCleanup(() => openai.close())
  return openai
})

const models = (page: Page) => page.getByRole('region', { name: 'Models' })
const key = 'sk-e2e-only-for-the-provider'

test('a model is added, tried and kept, its key shown to nobody', async ({ kontor, openai, page }) => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => answers.push(response.text().catch(() => '')))
  await page.goto('/settings/models')
  const section = models(page)
  await section.getByRole('button', { name: 'Add a model' }).first().click()
  const form = section.getByRole('form', { name: 'New model' })
  await form.getByRole('combobox', { name: 'Provider' }).selectOption('Another one like OpenAI')
  await form.getByRole('button', { name: 'Save model' }).click()
  await see(form.getByText('Say which model, as the provider names it.'))
  await form.getByRole('combobox', { name: 'Model' }).fill('acme/brain-1')
  await form.getByRole('textbox', { name: 'Address' }).fill(openai.url)
  await form.getByRole('textbox', { name: 'API key' }).fill(key)

  openai.mood = 'unauthorized'
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await see(form.getByText('no answer'))
  openai.mood = 'answers'
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await see(form.getByText(/^answered in/), form.getByText('Hello there.'))
  expect(openai.requests.at(-1)).toEqual({ key, model: 'acme/brain-1' })

  await form.getByRole('button', { name: 'Save model' }).click()
  await see(section.getByText('brain-1', { exact: true }), section.getByText('default'))
  await page.reload()
  await section.getByRole('button', { name: 'Test brain-1' }).click()
  await see(section.getByText(/^answered in/))
  expect(openai.requests.at(-1)).toEqual({ key, model: 'acme/brain-1' })
  expect((await Promise.all(answers)).join('\n')).not.toContain(key)
  expect(await page.content()).not.toContain(key)
  const stored = await (await kontor.fetch('/api/models')).text()
  expect(stored).not.toContain(key)
})

test('a model is chosen from the provider’s list, with its size', async ({ openai, page }) => {
  openai.models = [{ id: 'acme/large', context_length: 200_000 }, { id: 'acme/small' }]
  await page.goto('/settings/models')
  await models(page).getByRole('button', { name: 'Add a model' }).first().click()
  const form = models(page).getByRole('form', { name: 'New model' })
  const model = form.getByRole('combobox', { name: 'Model' })
  const context = form.getByRole('textbox', { name: 'Context' })
  await form.getByRole('combobox', { name: 'Provider' }).selectOption('Another one like OpenAI')
  await see(form.getByText('With the address and the key entered'), form.getByText('32,768 are assumed'))
  await form.getByRole('textbox', { name: 'Address' }).fill(openai.url)
  await form.getByRole('textbox', { name: 'API key' }).fill(key)

  openai.mood = 'unauthorized'
  await model.fill('typed')
  await see(form.getByText(/There is no list to choose from\. .* refused the key\./))
  await expect.poll(() => model.inputValue()).toBe('typed')
  openai.mood = 'answers'
  await form.getByRole('button', { name: 'Ask again' }).click()
  await see(form.getByText('2 models to choose from'))
  expect(new Set(openai.lists)).toEqual(new Set([key]))
  const offered = await form
    .locator('datalist option')
    .evaluateAll((all) => (all as HTMLOptionElement[]).map((one) => one.value))
  expect(offered).toEqual(['acme/large', 'acme/small'])
  await model.fill('acme/large')
  await expect.poll(() => context.inputValue()).toBe('200000')
  await model.fill('acme/small')
  await expect.poll(() => context.inputValue()).toBe('')
})

test('why a model doesn’t answer is said in words', async ({ kontor, openai, page }) => {
  await kontor.fetch('/api/models', {
    method: 'POST',
    body: JSON.stringify({ name: 'Lost', provider: 'openai', base_url: openai.url, model: 'lost' }),
  })
  await page.goto('/settings/models')
  const section = models(page)
  openai.mood = 'unknown_model'
  await section.getByRole('button', { name: 'Test Lost' }).click()
  await see(section.getByText('no answer'), section.getByRole('status').getByText(/model/i))
  openai.mood = 'answers'
})

test('a model is edited with its key kept, made the default, and removed', async ({
  kontor,
  openai,
  page,
}) => {
  for (const name of ['One', 'Two']) {
    await kontor.fetch('/api/models', {
      method: 'POST',
      body: JSON.stringify({ name, provider: 'openai', base_url: openai.url, model: 'm', api_key: key }),
    })
  }
  await page.goto('/settings/models')
  const section = models(page)
  const row = (name: string) => section.getByRole('listitem').filter({ hasText: name })
  const more = async (name: string, what: string) => {
    await section.getByRole('button', { name: `More for ${name}` }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await more('Two', 'Use it for new chats')
  await see(row('Two').getByText('default'))

  await more('Two', 'Edit')
  const form = section.getByRole('form', { name: 'Edit Two' })
  await see(form.getByText('stored'))
  await form.getByRole('textbox', { name: 'Name' }).fill('Three')
  await form.getByRole('textbox', { name: 'Address' }).fill('https://elsewhere.example/v1')
  await form.getByRole('button', { name: 'Save model' }).click()
  await see(form.getByText('It was entered for another address: enter it again, or clear it.'))
  await form.getByRole('textbox', { name: 'Address' }).fill(openai.url)
  await form.getByRole('button', { name: 'Save model' }).click()
  await section.getByRole('button', { name: 'Test Three' }).click()
  await see(row('Three').getByText(/^answered in/))
  expect(openai.requests.at(-1)?.key).toBe(key)

  await more('One', 'Remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove model' }).click()
  await gone(row('One'))
})

test('models look right', async ({ kontor, page }) => {
  await kontor.fetch('/api/models', {
    method: 'POST',
    body: JSON.stringify({
      ...{
        name: `A name of ${'many '.repeat(8)}words`,
        provider: 'openai',
        model: `${'long-'.repeat(30)}model`,
      },
      ...{ base_url: 'https://llm.example.org/v1', images: true, price_input: 1.25, price_output: 10 },
    }),
  })
  await page.goto('/settings/models')
  await loaded(page)
  expect.soft(await look(page, 'models')).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
  await models(page).getByRole('button', { name: 'Add a model' }).first().click()
  await page.getByText('Prices').click()
  expect.soft(await look(page, 'models-form')).toEqual([])
})
