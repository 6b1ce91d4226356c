import { expect, test } from './harness/test'
import { gone, heading, see } from './harness/screen'

const password = 'correct horse battery'

test('the printed link signs in once, then leads to a set-up that can be skipped', async ({
  kontor,
  open,
}) => {
  const { page } = await open({ signedOut: true })
  await page.goto(kontor.link)
  await see(heading(page, 'Welcome'))
  await page.getByRole('button', { name: 'Skip' }).click()
  await see(heading(page, 'Inbox'), page.getByText('Nothing waits for you'))
  await see(page.getByRole('link', { name: 'Ask with a form' }))

  const { page: second, watch } = await open({ signedOut: true })
  watch.allow(/console: Failed to load resource.* 403 /)
  await second.goto(kontor.link)
  await see(
    second.getByRole('alert').getByText('This sign-in link has been used, or is older than 10 minutes.'),
  )
  await second.goto('/')
  await see(heading(second, 'Sign in'))
  expect(await second.getByText('Inbox').count()).toBe(0)
})

test('a link that follows goes to the page that was asked for', async ({ kontor, open }) => {
  const { page } = await open({ signedOut: true })
  await page.goto(await kontor.newLink())
  await see(heading(page, 'Inbox'))
})

test('a password is set, and signs in after logging out', async ({ kontor, open }) => {
  // Its own sign-in: it logs out.
  const { page, watch: first } = await open({ signedOut: true })
  // Logged out, the tab's last requests are refused while it leaves.
  first.allow(/console: Failed to load resource.* 401 /)
  await page.goto(await kontor.newLink())
  await page.goto('/settings/access')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByLabel('The same again').fill('something else')
  await page.getByRole('button', { name: 'Set password' }).click()
  await see(page.getByText('The two are not the same.'))
  await page.getByLabel('The same again').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await see(page.getByText('The password was set.'))

  await page.getByRole('button', { name: 'Log out' }).click()
  await see(heading(page, 'Sign in'))
  await page.goto('/tools')
  await see(heading(page, 'Sign in'))
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await see(heading(page, 'Tools'))

  const { page: other, watch } = await open({ signedOut: true })
  watch.allow(/console: Failed to load resource.* 403 /)
  await other.goto('/login')
  await other.getByLabel('Password').fill('wrong')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await see(other.getByRole('alert').getByText(/password/i))
  await gone(heading(other, 'Inbox'))
})

test('the set-up sets a password and adds the demo server', async ({ kontor, page }) => {
  await kontor.deleteServer('demo')
  await page.goto('/setup')
  await see(page.getByText('A password is set.'))
  await page.getByLabel(/Add the demo server/).check()
  await page.getByRole('button', { name: 'Save and go on' }).click()
  await see(heading(page, 'Inbox'))
  await expect.poll(() => kontor.servers()).toEqual(['demo'])
})
