import { mkdir } from 'node:fs/promises'
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { expect, test as base } from 'vitest'
import { Kontor } from './kontor'
import { patience } from './patience'
import { Watch } from './watch'

export { expect }

/** Where pictures go: of every page (looks.test.ts), and of tests that failed. */
export const screenshots = new URL('../screenshots/', import.meta.url).pathname

/** What a tab can't help to log while no one answers. */
export const unreachable =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection/

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name in the network, for browsers only.
  '--host-resolver-rules=MAP nas.test 127.0.0.1',
]

export interface OpenOptions extends BrowserContextOptions {
  /** As someone who isn't signed in. */
  signedOut?: boolean
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

export const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const executablePath = process.env['CHROMIUM'] || '/usr/bin/chromium-headless-shell'
    const browser = await chromium.launch({ executablePath, args: flags })
    onCleanup(() => browser.close())
    return browser
  })
  .extend('kontor', { scope: 'file' }, async ({}, { onCleanup }) => {
    const kontor = await Kontor.start()
    onCleanup(() => kontor.remove())
    return kontor
  })
  /** The cookies of someone who signed in by a link and skipped the set-up, made when first asked for. */
  .extend('session', { scope: 'file' }, ({ browser, kontor }) => {
    let state: Promise<State> | undefined
    return () => (state ??= signIn())

    async function signIn(): Promise<State> {
      const context = await browser.newContext({ baseURL: kontor.url })
      const headers = { Origin: kontor.url }
      await context.request.get(await kontor.newLink())
      await context.request.post('/setup', { form: { action: 'skip' }, headers })
      const cookies = await context.storageState()
      await context.close()
      return cookies
    }
  })
  /**
   * Opens a tab in a browser of its own. After the test nothing may have gone wrong in
   * any, and what it left open at the servers is ended.
   */
  .extend('open', async ({ browser, kontor, session, task }, { onCleanup }) => {
    const opened: { context: BrowserContext; watch: Watch }[] = []
    onCleanup(async () => {
      const pages = opened.flatMap(({ context }) => context.pages())
      if (task.result?.state === 'fail') {
        await keepPictures(task.name, pages)
        for (const { watch } of opened) console.error(watch.trail.join('\n'))
      }
      const troubles = opened.flatMap(({ watch }) => watch.troubles)
      await Promise.all(opened.map(({ context }) => context.close()))
      await kontor.quiet()
      expect(troubles, 'nothing goes wrong in the browser').toEqual([])
    })
    return async ({ signedOut = false, ...options }: OpenOptions = {}) => {
      const context = await browser.newContext({
        baseURL: kontor.url,
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        ...(!signedOut && { storageState: await session() }),
        ...options,
      })
      context.setDefaultTimeout(patience)
      const watch = new Watch(context, kontor.url)
      opened.push({ context, watch })
      return { page: await context.newPage(), watch }
    }
  })
  .extend('tab', ({ open }) => open())
  .extend('page', ({ tab }) => tab.page)
  .extend('watch', ({ tab }) => tab.watch)

async function keepPictures(name: string, pages: Page[]): Promise<void> {
  await mkdir(screenshots, { recursive: true })
  for (const [i, page] of pages.entries()) {
    const path = `${screenshots}failed-${name.replace(/\W+/g, '-')}-${i + 1}.png`
    const taken = await page.screenshot({ path }).then(
      () => path,
      (error: unknown) => `none: ${String(error)}`,
    )
    console.error(`screenshot of ${page.url()}: ${taken}`)
  }
}
