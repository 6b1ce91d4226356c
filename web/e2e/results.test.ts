import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { inView, openTool, run, see } from './harness/screen'
import { expect, test } from './harness/test'

/** Saves what the link in the card offers, and returns it. */
async function download(page: Page, button: Locator): Promise<{ name: string; data: Buffer }> {
  const saved = page.waitForEvent('download')
  await button.click()
  const file = await saved
  return { name: file.suggestedFilename(), data: await readFile(await file.path()) }
}

/** The width of a picture once the browser has decoded it; 0 before. */
function decodedWidth(picture: Locator): Promise<number> {
  return picture.evaluate(async (image: HTMLImageElement) => {
    image.scrollIntoView()
    await image.decode().catch(() => null)
    return image.naturalWidth
  })
}

function playable(sound: Locator): Promise<{ controls: boolean; seconds: number; ready: boolean }> {
  return sound.evaluate((audio: HTMLAudioElement) => ({
    controls: audio.controls,
    seconds: audio.duration,
    ready: audio.readyState >= audio.HAVE_METADATA,
  }))
}

test('echo: the text as it was given', async ({ page }) => {
  const form = await openTool(page, 'echo')
  await form.getByRole('textbox', { name: 'Text' }).fill('Grüße, 漢字 <b>&amp;</b>')
  const card = await run(page)
  await see(card.getByText('Grüße, 漢字 <b>&amp;</b>', { exact: true }).last(), card.getByText('Echo'))
})

test('sum: exact numbers in, exact numbers out', async ({ page }) => {
  const form = await openTool(page, 'sum')
  await form.getByRole('textbox', { name: 'Numbers, item 1' }).fill('9007199254740993')
  await form.getByRole('button', { name: 'Add an item' }).click()
  await form.getByRole('textbox', { name: 'Numbers, item 2' }).fill('0.25')
  const card = await run(page)
  await see(card.getByRole('treeitem', { name: 'sum: 9007199254740993.25' }))
})

test('table: rows and columns, the tree, and the exact integers in both', async ({ page }) => {
  await openTool(page, 'table')
  const card = await run(page)
  await see(
    card.getByRole('columnheader', { name: 'colour' }),
    card.getByRole('cell', { name: '9007199254740993', exact: true }),
    card.getByText('Rows 1 to 5 of 5'),
  )
  await card.getByRole('button', { name: 'Tree' }).click()
  const rows = card.getByRole('treeitem', { name: /^rows/ })
  if ((await rows.getAttribute('aria-expanded')) !== 'true') await rows.click()
  const first = card.getByRole('treeitem', { name: /^0/ })
  if ((await first.getAttribute('aria-expanded')) !== 'true') await first.click()
  await see(card.getByRole('treeitem', { name: 'id: 9007199254740993' }))
  await card.getByRole('button', { name: 'Raw' }).click()
  await see(card.getByText('9007199254740993'))
  await card.getByRole('button', { name: 'Table' }).click()
  const { name, data } = await download(page, card.getByRole('button', { name: 'CSV' }))
  expect(name).toBe('result.csv')
  expect(data.toString()).toContain('9007199254740993')
})

test('picture: decoded by the browser, zoomed, downloaded', async ({ page }) => {
  await openTool(page, 'picture')
  const card = await run(page)
  const picture = card.getByRole('img')
  await see(picture, card.getByText('480 × 320'))
  await expect.poll(() => decodedWidth(picture)).toBe(480)
  await card.getByRole('button', { name: 'Zoom', exact: true }).click()
  const zoom = page.getByRole('dialog')
  await see(zoom.getByRole('img'))
  await page.keyboard.press('Escape')
  const { name, data } = await download(page, card.getByRole('link', { name: /^Download/ }))
  expect(name).toMatch(/\.png$/)
  expect(data.subarray(1, 4).toString()).toBe('PNG')
})

test('sound: with controls, and decodable', async ({ page }) => {
  await openTool(page, 'sound')
  const card = await run(page)
  const sound = card.locator('audio')
  await see(sound)
  await expect.poll(() => playable(sound)).toEqual({ controls: true, seconds: 1, ready: true })
})

test('document: a named download with the very bytes', async ({ page }) => {
  const form = await openTool(page, 'document')
  const pdf = await run(page)
  const file = await download(page, pdf.getByRole('link', { name: /^Download hello\.pdf/ }))
  expect(file.name).toBe('hello.pdf')
  expect(file.data.subarray(0, 5).toString()).toBe('%PDF-')

  await form.getByLabel('Kind').selectOption('bytes')
  const bytes = await run(page)
  const { data } = await download(page, bytes.getByRole('link', { name: /^Download hello\.bin/ }))
  expect(data).toEqual(Buffer.from(Array.from({ length: 256 }, (_, i) => i)))
})

test('document: HTML and SVG are text here, and nothing in them runs', async ({ page }) => {
  const form = await openTool(page, 'document')
  for (const kind of ['html', 'svg']) {
    await form.getByLabel('Kind').selectOption(kind)
    const card = await run(page)
    await see(card.getByText(/<script>/))
    expect(await page.title()).not.toContain('ran a script')
  }
})

test('link: named, and read through its server', async ({ page }) => {
  await openTool(page, 'link')
  const card = await run(page)
  await see(card.getByText('About this server'), card.getByText('demo://readme'))
  await card.getByRole('button', { name: 'Read through the server' }).click()
  await see(card.getByRole('heading', { name: 'Kontor demo' }).or(card.getByText('# Kontor demo')))
})

test('slow: progress is seen, Stop reaches the server', async ({ kontor, page }) => {
  const form = await openTool(page, 'slow')
  await form.getByRole('textbox', { name: 'Steps' }).fill('1000')
  await form.getByRole('textbox', { name: 'Delay' }).fill('100')
  const card = await run(page)
  const bar = card.getByRole('progressbar')
  await see(bar, card.getByText(/^Step \d+ of 1000 done$/))
  await card.getByRole('button', { name: 'Stop' }).click()
  await see(card.getByText('Stopped.'), card.getByText('cancelled', { exact: true }))
  await expect.poll(() => bar.count()).toBe(0)
  await expect.poll(() => kontor.serverLog('demo')).toMatch(/slow: stopped in step \d+ of 1000/)
})

test('fail: an error of the tool is no result, and no error of the way to it', async ({ page }) => {
  const form = await openTool(page, 'fail')
  const ofTool = await run(page)
  await see(
    ofTool.getByText('The tool says that it failed'),
    ofTool.getByText('This tool always fails.').last(),
  )
  await form.getByLabel('How').selectOption('protocol')
  const ofServer = await run(page)
  await see(ofServer.getByText('The server refused the call.'))
})

test('nothing: says so', async ({ page }) => {
  await openTool(page, 'nothing')
  const card = await run(page)
  await see(card.getByText('Returned nothing.'))
})

test('big: says how much is not shown, and opens whole', async ({ page }) => {
  const form = await openTool(page, 'big')
  await form.getByRole('textbox', { name: 'Kilobytes' }).fill('128')
  const card = await run(page)
  await see(card.getByText(/^Lines 1 to 40 of 2,048, .* not shown$/))
  const { data } = await download(page, card.getByRole('button', { name: 'Save all' }))
  expect(data.length).toBe(128 * 1024)
  for (const more = card.getByRole('button', { name: 'Show more' }); (await more.count()) > 0;)
    await more.click()
  const shown = card.getByRole('group', { name: 'result.txt' })
  await expect.poll(async () => (await shown.textContent())?.length).toBe(128 * 1024)

  await form.getByLabel('Shape').selectOption('json')
  const tree = await run(page)
  await see(tree.getByRole('treeitem', { name: /^lines/ }))
})

test('markup: hostile text stays text', async ({ page }) => {
  const form = await openTool(page, 'markup')
  const markdown = await run(page)
  await see(markdown.getByRole('heading', { name: 'Heading' }), markdown.getByRole('cell', { name: 'two' }))
  expect(await markdown.locator('a[href^="javascript:" i]').count()).toBe(0)
  expect(await markdown.locator('img[src^="http"]').count()).toBe(0)

  await form.getByLabel('Kind').selectOption('html')
  const html = await run(page)
  await see(html.getByText("<script>document.title = 'markup ran a script'</script>"))
  expect(await html.getByRole('heading', { name: 'Not a heading' }).count()).toBe(0)

  await form.getByLabel('Kind').selectOption('ansi')
  const ansi = await run(page)
  await see(ansi.getByText('red', { exact: true }), ansi.getByText('white on blue'))
  const text = await ansi.getByRole('group', { name: 'result.txt' }).textContent()
  expect(text).toBe('bold red green  white on blue  plain')
  // Other hosts that were asked for fail the test by themselves (harness/watch.ts).
  expect(await page.title()).not.toContain('ran a script')
})

test('mixed: every block, in the order that the server sent', async ({ page }) => {
  await openTool(page, 'mixed')
  const card = await run(page)
  const picture = card.getByRole('img')
  await see(card.getByText('One block of every kind:'), picture)
  await expect.poll(() => decodedWidth(picture)).toBe(240)
  await expect.poll(() => playable(card.locator('audio'))).toMatchObject({ ready: true, seconds: 0.5 })
  await see(
    card.getByText('An embedded text'),
    card.getByRole('link', { name: 'Download hello.pdf' }),
    card.getByText('About this server'),
  )
  const text = (await card.textContent()) ?? ''
  const order = ['One block', 'An embedded text', 'hello.pdf', 'About this server', 'needn’t see'].map(
    (part) => text.replaceAll("'", '’').indexOf(part),
  )
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(order).not.toContain(-1)
})

test('a result comes into sight on a phone, and the focus stays with the form', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openTool(page, 'document')
  await page.getByLabel('Kind').selectOption('markdown')
  const card = await run(page)
  await inView(card.getByRole('heading', { name: 'Hello from the demo server' }))
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^\s*Run/)
})

test('the chosen tool is in sight, and so is the search', async ({ page }) => {
  await openTool(page, 'table')
  const list = page.getByRole('navigation', { name: 'Tools, resources and prompts' })
  await inView(list.getByRole('link', { name: /^Table/ }))
  await inView(list.getByRole('searchbox'))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find or run' }).fill('ask for a secret')
  await page.keyboard.press('Enter')
  await inView(list.getByRole('link', { name: /^Ask for a secret/ }))
})
