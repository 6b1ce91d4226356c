import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { screenshots } from './test'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const themes = ['light', 'dark'] as const
/** What is looked for in each theme: a theme changes colours, and nothing else. */
const rules: Record<(typeof themes)[number], RunOptions['runOnly']> = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

export const sizes = [
  { width: 1280, height: 800 },
  { width: 360, height: 780 },
]

/**
 * Looks at the page in both themes and at both widths: takes pictures, and returns
 * what axe finds and what is wider than the window, or, for a chat, higher. The theme must be "system".
 */
export async function look(page: Page, name: string): Promise<string[]> {
  await mkdir(screenshots, { recursive: true })
  const wrong: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      const where = `${name} at ${size.width} px, ${theme}`
      wrong.push(...(await findings(page, theme)).map((finding) => `${where}: ${finding}`))
      await page.screenshot({ path: `${screenshots}${name}-${size.width}-${theme}.png` })
    }
    const below = await tooHigh(page)
    if (below > 0) wrong.push(`${name} at ${size.width} px scrolls behind the chat, by ${below} px`)
    wrong.push(
      ...(await tooWide(page)).map((what) => `${name} at ${size.width} px is wider than the window: ${what}`),
    )
  }
  return wrong
}

/** A chat's columns scroll, its page doesn't: how much higher than the window the document is. */
function tooHigh(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { clientHeight, scrollHeight } = document.documentElement
    return document.querySelector('.main > .chat') ? scrollHeight - clientHeight : 0
  })
}

async function findings(page: Page, theme: (typeof themes)[number]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: { run: (...of: [RunOptions] | [Element, RunOptions]) => Promise<AxeResults> }
      }
      const { violations } = await axe.run(options)
      // A control that a bar at the page's edge half covers is whole once it is scrolled to.
      for (const violation of violations.filter(({ id }) => id === 'target-size')) {
        const small = []
        for (const node of violation.nodes) {
          const element = document.querySelector(String(node.target[0]))
          element?.scrollIntoView({ block: 'center' })
          const again = element && (await axe.run(element, { runOnly: ['target-size'] }))
          if (again === null || again.violations.length > 0) small.push(node)
        }
        violation.nodes = small
      }
      return violations
    },
    { runOnly: rules[theme], resultTypes: ['violations'] } satisfies RunOptions,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} (${any[0]?.message ?? ''})`),
  )
}

/** What sticks out of the page to the right; nothing when the page doesn't scroll sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 3)
      .map((element) => element.outerHTML.slice(0, 160))
  })
}
