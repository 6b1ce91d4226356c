import type { Page } from 'playwright-core'
import { gone, heading, loaded, openTool, question, see } from './harness/screen'
import { expect, test } from './harness/test'

/** What has the focus, as a screen reader would name it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').replace(/\s+/g, ' ').trim()
  })
}

test('g and a letter go to each page', async ({ page }) => {
  await page.goto('/inbox')
  await see(heading(page, 'Inbox'))
  for (const [key, title] of [
    ['t', 'Tools'],
    ['s', 'Servers'],
    ['a', 'Activity'],
    ['e', 'Settings'],
    ['i', 'Inbox'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await see(heading(page, title))
  }
})

test('? lists the keys, Escape closes the list', async ({ page }) => {
  await page.goto('/inbox')
  await see(heading(page, 'Inbox'))
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await see(help.getByText('Search this page'))
  await page.keyboard.press('Escape')
  await gone(help)
})

test('the palette finds a tool and opens it', async ({ page }) => {
  await page.goto('/tools')
  await see(page.getByRole('link', { name: 'Echo' }))
  await page.keyboard.press('Control+k')
  const find = page.getByRole('combobox', { name: 'Find or run' })
  await see(find)
  await page.keyboard.type('pictu')
  await see(page.getByRole('option', { name: 'Picture', selected: true }))
  await page.keyboard.press('Enter')
  await see(page.getByRole('heading', { level: 2, name: 'Picture' }))
  await gone(find)
})

test('/ searches, j and k move, Enter opens', async ({ page }) => {
  await page.goto('/tools')
  await see(page.getByRole('link', { name: 'Echo' }))
  await page.keyboard.press('/')
  await expect.poll(() => focused(page)).toBe('Search tools')
  await page.keyboard.type('ask')
  await gone(page.getByRole('link', { name: 'Echo' }))
  await page.keyboard.press('Tab')
  await page.keyboard.press('j')
  const first = await focused(page)
  expect(first).toMatch(/^Ask/)
  await page.keyboard.press('j')
  expect(await focused(page)).not.toBe(first)
  await page.keyboard.press('k')
  expect(await focused(page)).toBe(first)
  await page.keyboard.press('Enter')
  await see(page.getByRole('heading', { level: 2, name: /^Ask/ }))
})

test('Enter answers nothing by accident; a and d do, on the card that has the focus', async ({
  kontor,
  page,
}) => {
  await page.goto('/inbox')
  await see(heading(page, 'Inbox'))
  const form = await kontor.ask('ask_form')
  const name = question(page, form.item).getByRole('textbox', { name: 'Name' })
  await name.fill('Mira')
  await page.keyboard.press('Enter')
  await page.keyboard.press('a')
  expect(await name.inputValue()).toBe('Miraa')
  expect((await kontor.call(form.call.id)).state).toBe('waiting_input')
  await name.blur()

  const confirm = await kontor.ask('confirm', { message: 'By accident?' })
  await see(question(page, confirm.item))
  // The first press brings the focus to the first card's safe answer, the next to the second's.
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toMatch(/^Decline/)
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toMatch(/^No/)
  await page.keyboard.press('a')
  await see(page.getByText('was accepted.'))
  await expect.poll(async () => (await kontor.call(confirm.call.id)).result).toBe('The person said yes.')

  await expect.poll(() => focused(page)).toMatch(/^Decline/)
  await page.keyboard.press('d')
  await see(page.getByText('was declined.'))
})

test('Ctrl and Enter run the tool from within its form', async ({ page }) => {
  const form = await openTool(page, 'echo')
  await form.getByRole('textbox', { name: 'Text' }).fill('by keys')
  await page.keyboard.press('Control+Enter')
  await see(page.getByRole('region', { name: 'Results' }).getByText('by keys').last())
})

/** Names of what can be acted on and is visible, in the order of the document. */
function actions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button:not([disabled]), input:not([disabled]), select, textarea, summary, [role=treeitem], audio',
      ),
    ]
    const seen = all.filter((element) => element.checkVisibility({ visibilityProperty: true }))
    return seen
      .filter((element) => {
        if (element.tabIndex < 0) return false
        if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
        // One stop for a group of radio buttons: arrows do the rest.
        const group = seen.filter((other) => other instanceof HTMLInputElement && other.name === element.name)
        return (group.find((other) => (other as HTMLInputElement).checked) ?? group[0]) === element
      })
      .map((element, i) => (element.dataset['stop'] = String(i)))
  })
}

test('Tab reaches every action, and the focus is seen', async ({ kontor, page }) => {
  await kontor.ask('ask_form')
  await kontor.ask('ask_secret')
  for (const path of [
    '/inbox',
    '/tools/mcp__demo__table',
    '/servers',
    '/servers/demo#settings',
    '/settings/access',
  ]) {
    await page.goto(path)
    await loaded(page)
    const wanted = await actions(page)
    const reached = new Set<string>()
    const hidden: string[] = []
    for (let i = 0; i < wanted.length * 2 && reached.size < wanted.length; i++) {
      await page.keyboard.press('Tab')
      const { stop, visible, what } = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const ring = (drawn: Element, part?: string) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(drawn, part)
          return outlineStyle !== 'none' && outlineWidth !== '0px'
        }
        // A link over a whole row has its ring around the row.
        const row = element.closest('li')
        const rings = [ring(element), ring(element, '::after'), row !== null && ring(row)]
        return {
          stop: element.dataset['stop'],
          // A part of a field, such as the calendar button of a date, the browser draws.
          visible: rings.includes(true) || !element.matches(':focus'),
          what: element.outerHTML.slice(0, 200),
        }
      })
      if (stop === undefined) continue
      reached.add(stop)
      if (!visible) hidden.push(what)
    }
    const missed = await page.evaluate(
      (stops) =>
        stops.map((stop) => document.querySelector(`[data-stop="${stop}"]`)?.outerHTML.slice(0, 200)),
      wanted.filter((stop) => !reached.has(stop)),
    )
    expect({ path, missed, hidden }).toEqual({ path, missed: [], hidden: [] })
  }
})
