import { beforeEach } from 'vitest'
import { anew, card, decide, fine, goOn, opened, signInButton, test } from './harness/docs'
import { heading, run, see } from './harness/screen'
import { expect } from './harness/test'

beforeEach(anew)

test('a machine gets its token by itself; a refused one says why', async ({ docs, page }) => {
  docs.auth.clients.set('robot', 's3cret')
  await page.goto('/servers/docs#settings')
  await page.getByText('OAuth', { exact: true }).click()
  await page.getByLabel('Who signs in').selectOption('client_credentials')
  await page.getByLabel(/^Client id/).fill('robot')
  const secret = page.getByRole('textbox', { name: 'Client secret' })
  await secret.fill('wrong')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: /^Sign-in/ }).click()
  await see(page.getByText(/was refused by 127/).first())
  await fine(page, 'signin-machine-refused')
  await page.goto('/inbox')
  await see(card(page).getByRole('link', { name: 'Open its settings' }))
  await page.goto('/servers/docs#sign-in')
  await page
    .getByRole('link', { name: /^Settings/ })
    .last()
    .click()
  await page.getByRole('button', { name: 'Replace: Client secret' }).click()
  await secret.fill('s3cret')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: /^Sign-in/ }).click()
  await see(page.getByText('signed in', { exact: true }))
  await fine(page, 'signin-machine')
  await page.getByRole('button', { name: 'Get a new token' }).click()
  await page.goto('/tools/mcp__docs__whoami')
  await see((await run(page)).getByText('mira with read'))
})

test('an authorization server that registers nobody: the client is typed in', async ({
  docs,
  page,
  watch,
}) => {
  watch.allow(/console: Failed to load resource.* 422 /)
  docs.auth.registers = false
  docs.auth.clients.set('by-hand', 's3cret')
  await page.goto('/signin/docs')
  await see(page.getByText(/registers no clients/))
  await fine(page, 'signin-page-no-client')
  await page.getByRole('link', { name: 'Open the server’s page' }).click()
  await signInButton(page).click()
  await see(page.getByText(/\/oauth\/callback$/))
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await see(page.getByText('Enter the id that it gave you.'))
  await fine(page, 'signin-tab-no-client')
  await page.getByLabel(/^Client id/).fill('by-hand')
  await page.getByLabel(/^Client secret/).fill('s3cret')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  const tab = await opened(page, goOn(page))
  await tab.getByRole('button', { name: 'Allow' }).click()
  await see(page.getByText('client id by-hand, from the settings'))
  await page.goto('/servers/docs#settings')
  await see(page.getByText('2 of your own'))
  await fine(page, 'signin-settings-client')
  expect(await page.content()).not.toContain('s3cret')
})

test('a server that names several authorization servers asks which', async ({ docs, page, watch }) => {
  watch.allow(/console: Failed to load resource.* 422 /)
  docs.issuers = ['https://other.example', docs.auth.issuer]
  await page.goto('/servers/docs#sign-in')
  await signInButton(page).click()
  await see(page.getByRole('group', { name: 'Where to sign in' }))
  await fine(page, 'signin-tab-issuers')
  await page.getByRole('button', { name: docs.auth.issuer }).click()
  await see(goOn(page))
  await page.goto('/signin/docs')
  await see(page.getByRole('link', { name: docs.auth.issuer }))
  await fine(page, 'signin-page-issuers')
  await page.getByRole('link', { name: docs.auth.issuer }).click()
  await decide(page, 'Allow')
  await see(heading(page, 'Signed in to Docs'))
})

test('the settings of each grant', async ({ page }) => {
  await page.goto('/servers/docs#settings')
  await page.getByText('OAuth', { exact: true }).click()
  await see(page.getByLabel('Who signs in'))
  for (const grant of ['authorization_code', 'client_credentials', 'enterprise', 'workload_identity']) {
    await page.getByLabel('Who signs in').selectOption(grant)
    await page.getByLabel('Who signs in').scrollIntoViewIfNeeded()
    await fine(page, `signin-grant-${grant}`)
  }
  await page.getByLabel('Who signs in').selectOption('client_credentials')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await see(page.getByText('Enter the client id.'))
})
