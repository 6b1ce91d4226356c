import { gone, heading, see } from './harness/screen'
import { expect, test } from './harness/test'

test('a token is shown once, works, and does not once it is revoked', async ({ kontor, page }) => {
  await page.goto('/settings/access')
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByRole('button', { name: 'New token' }).click()
  await tokens.getByRole('textbox', { name: 'For' }).fill('Robot')
  await tokens.getByRole('radio', { name: /^Full/ }).check()
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await see(tokens.getByText('Token “Robot” is ready'))
  const value = (await tokens.getByText(/^kt_\w{20,}$/).textContent()) ?? ''
  const use = async () => {
    const response = await fetch(`${kontor.url}/api/servers`, {
      headers: { Authorization: `Bearer ${value}` },
    })
    return response.status
  }
  expect(await use()).toBe(200)

  await page.reload()
  await see(tokens.getByText('Robot'))
  expect(await page.content()).not.toContain(value)
  await tokens.getByRole('button', { name: 'Revoke Robot' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await see(page.getByText('“Robot” was revoked.'))
  await gone(tokens.getByText('Robot'))
  expect(await use()).toBe(401)
})

test('a read token may not change anything', async ({ kontor, page }) => {
  await page.goto('/settings/access')
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByRole('button', { name: 'New token' }).click()
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await see(tokens.getByText('Say what it is for.'))
  await tokens.getByRole('textbox', { name: 'For' }).fill('Dashboard')
  await tokens.getByRole('radio', { name: /^Read/ }).check()
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const value = await tokens.getByText(/^kt_\w{20,}$/).textContent()
  const headers = { Authorization: `Bearer ${value ?? ''}` }
  expect((await fetch(`${kontor.url}/api/servers`, { headers })).status).toBe(200)
  expect((await fetch(`${kontor.url}/api/servers/demo`, { method: 'DELETE', headers })).status).toBe(403)
})

test('a secret is stored and replaced, and never shown again', async ({ kontor, page }) => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => answers.push(response.text().catch(() => '')))
  await page.goto('/settings/secrets')
  const secrets = page.getByRole('region', { name: 'Secrets' })
  await see(secrets.getByText('There is none yet.'))
  await secrets.getByRole('button', { name: 'Add a secret' }).click()
  await secrets.getByRole('textbox', { name: 'Name' }).fill('1 wrong name')
  await secrets.getByRole('button', { name: 'Store secret' }).click()
  await see(secrets.getByText('Enter the value.'))
  await secrets.getByRole('textbox', { name: 'Name' }).fill('WEATHER_KEY')
  const value = secrets.locator('input[type=password]')
  await value.fill('sunshine-and-rain')
  await secrets.getByRole('button', { name: 'Store secret' }).click()
  await see(page.getByText('WEATHER_KEY is stored.'), secrets.getByText('WEATHER_KEY', { exact: true }))
  await secrets.getByRole('button', { name: 'Replace WEATHER_KEY' }).click()
  await value.fill('snow-and-frost')
  await secrets.getByRole('button', { name: 'Store secret' }).click()
  await gone(value)
  await page.reload()
  await see(secrets.getByText('WEATHER_KEY', { exact: true }))
  const told = [...(await Promise.all(answers)), await page.content()].join('\n')
  expect(told).not.toMatch(/sunshine-and-rain|snow-and-frost/)

  // A server takes it by its name.
  await kontor.addServer({
    name: 'weather',
    transport: 'stdio',
    command: process.env['KONTOR_BIN'],
    args: ['server', 'demo'],
    env: { KEY: '${WEATHER_KEY}' },
  })
  await page.goto('/servers/weather')
  await see(page.getByText('ready', { exact: true }))
  await kontor.deleteServer('weather')

  await page.goto('/settings/secrets')
  await secrets.getByRole('button', { name: 'Delete WEATHER_KEY' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click()
  await see(secrets.getByText('There is none yet.'))
})

test('the theme holds for every page and every browser', async ({ open, page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.goto('/settings/appearance')
  const appearance = page.getByRole('region', { name: 'Appearance' })
  await see(appearance)
  const light = await background()
  await appearance.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  const { page: other } = await open({ signedOut: true })
  await other.goto('/login')
  expect(await other.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(dark)
  await page.reload()
  expect(await background()).toBe(dark)
  await appearance.getByRole('button', { name: 'System' }).click()
  await expect.poll(background).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).toBe(dark)
})

test('a browser is signed out from another one', async ({ kontor, open, page }) => {
  const { page: other, watch } = await open({ signedOut: true })
  watch.allow(/console: .* 401|WebSocket/)
  await other.goto(await kontor.newLink())
  await see(heading(other, 'Inbox'))
  await page.goto('/settings/access')
  const browsers = page.getByRole('region', { name: 'Signed-in browsers' })
  await see(browsers.getByText('this one'))
  await browsers
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click()
  await see(page.getByText(/was signed out\.$/))
  await see(heading(other, 'Sign in'))
})
