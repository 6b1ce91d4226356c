import { addFake, messages, openNew, write } from './harness/chat'
import { OpenAI } from './harness/openai'
import { see } from './harness/screen'
import { expect, test } from './harness/test'

test('a chat says what was switched, and when a model is asked again', async ({
  kontor,
  page,
  onTestFinished,
}) => {
  const provider = await OpenAI.start()
  onTestFinished(() => provider.close())
  await addFake(kontor, 'fake', provider)
  await openNew(kontor, page, 'Notes')
  const said = (text: string | RegExp) => messages(page).getByText(text)
  await write(page, 'Hello')
  await see(said('Hello there.'))

  const grants = new URL(page.url()).pathname.replace('/chats/', '/api/sessions/') + '/grants'
  for (const groups of [['demo', 'config'], ['config']]) {
    await kontor.fetch(grants, { method: 'PUT', body: JSON.stringify({ groups }) })
  }
  await see(said('You switched on: Demo, Kontor’s settings.'), said('You switched off: Demo.'))

  provider.mood = 'overloaded'
  await write(page, 'Again')
  await see(said(/The engine is overloaded\. (Trying again in \d+ s|Tried again)\.$/))
  provider.mood = 'answers'
  await expect.poll(() => said('Hello there.').count()).toBe(2)
  expect(await said(/overloaded/).count()).toBe(0)
})
