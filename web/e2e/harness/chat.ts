import type { Locator, Page } from 'playwright-core'
import type { Kontor } from './kontor'
import type { Answer, OpenAI } from './openai'
import { see } from './screen'

/** The steps of a turn that shows all there is, as any provider is told them. */
export const everything: Answer[] = [
  { says: 'I switch the demo tools on.', calls: [['activate_tools', '{"groups": ["demo"]}']] },
  {
    says: 'Three at once.',
    calls: [
      ['mcp__demo__echo', '{"text": "first of three"}'],
      ['mcp__demo__table', '{"count": 3}'],
      ['mcp__demo__picture', '{"seed": 7}'],
    ],
  },
  { says: 'Now the sum.', calls: [['mcp__demo__sum', '{"numbers": [1, 2]}']] },
  { says: 'And a question.', calls: [['mcp__demo__confirm', '{"message": "Order it?"}']] },
  {
    says: 'A helper looks it up.',
    calls: [['dispatch_agent', '{"agent": "researcher", "task": "Look it up"}']],
  },
  { says: 'The helper found it.' },
  { says: 'All of it is **done**.' },
]

/** Answers as a script (docs/guide/models.md). `slow` is the pause after each word. */
export function script(answers: readonly Answer[], slow = '0ms'): string {
  const turns = answers.map(({ when = '', says = '', calls = [] }) => {
    const lines = calls.map(([name, args]) => `call ${name} ${args}`)
    return [`turn ${when}`.trim(), ...(says ? [`say ${says}`] : []), ...lines].join('\n')
  })
  return [`slow ${slow}`, ...turns].join('\n')
}

/** Adds a language model and makes it the default. */
export async function addModel(kontor: Kontor, config: Record<string, unknown>): Promise<void> {
  await send(kontor, 'POST', '/api/models', { default: true, ...config })
}

/** The demo server's tools run without asking, but for sum. */
export async function allowDemo(kontor: Kontor): Promise<void> {
  await send(kontor, 'POST', '/api/policies', { server: 'demo', tool: 'sum', action: 'ask' })
  await allow(kontor)
}

/** One of the demo server's tools runs without asking, or all of them. */
export async function allow(kontor: Kontor, tool?: string): Promise<void> {
  await send(kontor, 'POST', '/api/policies', { server: 'demo', ...(tool && { tool }), action: 'allow' })
}

async function send(kontor: Kontor, method: string, path: string, body: unknown): Promise<string> {
  const response = await kontor.fetch(path, { method, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

/** Adds a model that a fake provider answers for, and makes it the default. */
export async function addFake(
  kontor: Kontor,
  name: string,
  provider: OpenAI,
  more: Record<string, unknown> = {},
): Promise<void> {
  const access = { base_url: provider.url, model: name, api_key: 'sk-test' }
  await addModel(kontor, { name, provider: 'openai', ...access, ...more })
}

/** Opens a chat that has its title from the start: no model is asked for one. */
export async function openNew(kontor: Kontor, page: Page, title: string): Promise<void> {
  const { id } = JSON.parse(await send(kontor, 'POST', '/api/sessions', { title })) as { id: string }
  await page.goto(`/chats/${id}`)
  await see(page.getByRole('heading', { level: 1, name: title }))
}

/** Begins a chat with a message. */
export async function begin(page: Page, text: string): Promise<void> {
  await page.goto('/chats/+new')
  await write(page, text)
  await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/)
  await see(page.getByRole('heading', { level: 1 }))
}

/** Sends a message. */
export async function write(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill(text)
  await field.press('Enter')
}

export const messages = (page: Page): Locator => page.getByRole('group', { name: 'Messages' })

/** The cards of a tool's calls. */
export function card(page: Page, title: string): Locator {
  return messages(page).locator('details.tool').filter({ hasText: title })
}
