import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import type { Json } from '../lib/json'
import type { Elicitation } from '../lib/wire'
import { App } from '../shell/app.svelte'
import CardHarness from './CardHarness.svelte'
import { elicitation, empty } from './testing'

async function show(
  item: Elicitation,
  answer: { status: number; body: unknown } = { status: 200, body: {} },
) {
  const sent: { url: string; body: unknown }[] = []
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    if (init?.method === 'POST') {
      sent.push({ url: String(url), body: JSON.parse(String(init.body)) })
      return Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status }))
    }
    return Promise.resolve(new Response(JSON.stringify({ ...empty, elicitations: [item] })))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  await app.inbox.load()
  const onanswered = vi.fn()
  render(CardHarness, { app, item, onanswered })
  return { sent, app, onanswered }
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const properties = (fields: Record<string, Json>, required: string[] = []): Json => ({
  type: 'object',
  properties: fields,
  required,
})

it('asks a plain yes or no with the message as its title', async () => {
  const { sent, onanswered } = await show(elicitation('a', { message: 'Replace the note?', schema: {} }))
  expect(screen.getByRole('heading', { name: 'Replace the note?' })).toBeTruthy()
  expect(button('Yes').className).not.toContain('btn-main')
  await fireEvent.click(button('Yes'))
  await waitFor(() => expect(onanswered).toHaveBeenCalledOnce())
  expect(sent).toEqual([
    { url: '/api/inbox/elicitations/a/resolve', body: { action: 'accept', content: {} } },
  ])
})

it.each([
  ['Decline', 'decline'],
  ['Cancel', 'cancel'],
])('%s sends no content, whatever was typed', async (name, action) => {
  const { sent } = await show(
    elicitation('a', { schema: properties({ name: { type: 'string', default: 'x' } }) }),
  )
  await fireEvent.click(button(name))
  await waitFor(() => expect(sent[0]?.body).toEqual({ action }))
})

it('keeps the answer back until its fields fit, and ties the message to the field', async () => {
  const { sent } = await show(
    elicitation('a', {
      schema: properties({ mail: { type: 'string', title: 'Mail', format: 'email' } }, ['mail']),
    }),
  )
  const input = screen.getByLabelText(/Mail/, { selector: 'input' })
  await fireEvent.click(button('Accept'))
  expect(sent).toEqual([])
  expect(input.getAttribute('aria-invalid')).toBe('true')
  const described = input.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('Fill this in')
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(screen.getByText('1 field needs a fix')).toBeTruthy()

  await fireEvent.input(input, { target: { value: 'mira@example.org' } })
  await fireEvent.click(button('Accept'))
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({ action: 'accept', content: { mail: 'mira@example.org' } }),
  )
})

it('masks a secret, says who gets it, and shows it only on request', async () => {
  await show(
    elicitation('a', {
      schema: properties({ passphrase: { type: 'string', title: 'Passphrase' } }, ['passphrase']),
    }),
  )
  const input = screen.getByLabelText<HTMLInputElement>(/Passphrase/, { selector: 'input' })
  expect(input.type).toBe('password')
  expect(input.autocomplete).toBe('off')
  expect(screen.getByText(/Goes to demo/)).toBeTruthy()
  expect(button('Send passphrase')).toBeTruthy()
  await fireEvent.click(button('Reveal'))
  expect(input.type).toBe('text')
})

it.each(['', 'config'])('says that a secret stays where Kontor itself asks for it: %j', async (server) => {
  const value: Json = { type: 'string', title: 'Secret KEY', format: 'password' }
  const { sent } = await show(elicitation('a', { server, schema: properties({ value }, ['value']) }))
  expect(screen.getByRole('heading', { name: 'Secret KEY' })).toBeTruthy()
  expect(screen.getByText('Stays in Kontor.')).toBeTruthy()
  expect(screen.queryByText(/Goes to|passes it on/)).toBeNull()
  await fireEvent.input(screen.getByLabelText(/Secret KEY/, { selector: 'input' }), {
    target: { value: 's3' },
  })
  await fireEvent.click(button('Keep it sealed'))
  await waitFor(() => expect(sent[0]?.body).toEqual({ action: 'accept', content: { value: 's3' } }))
})

it('does nothing on Enter in a field', async () => {
  const { sent } = await show(
    elicitation('a', { schema: properties({ name: { type: 'string', default: 'x' } }) }),
  )
  const input = screen.getByLabelText('name', { selector: 'input' })
  expect(input.closest('form')).toBeNull()
  await fireEvent.keyDown(input, { key: 'Enter' })
  expect(sent).toEqual([])
})

it('shows what the server has against a field', async () => {
  await show(elicitation('a', { schema: properties({ name: { type: 'string', default: 'x' } }) }), {
    status: 422,
    body: {
      code: 'invalid',
      detail: 'Not accepted.',
      errors: [{ location: 'body.content.name', message: 'Too short' }],
    },
  })
  await fireEvent.click(button('Accept'))
  await waitFor(() => expect(screen.getByText('Too short')).toBeTruthy())
  expect(screen.getByText('Not accepted.')).toBeTruthy()
})

it('opens an address on a click only, and takes “done” for an answer only then', async () => {
  const { sent } = await show(
    elicitation('a', { mode: 'url', schema: null, url: 'https://pay.example.org/x' }),
  )
  const link = screen.getByRole('link', { name: 'Open in a new tab' })
  expect(link.getAttribute('rel')).toContain('noopener')
  expect((button('I’m done') as HTMLButtonElement).disabled).toBe(true)
  await fireEvent.click(link)
  await fireEvent.click(button('I’m done'))
  await waitFor(() => expect(sent[0]?.body).toEqual({ action: 'accept' }))
})

it('offers no way to open what is no web address', async () => {
  await show(elicitation('a', { mode: 'url', schema: null, url: 'javascript:alert(1)' }))
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByText('Kontor doesn’t open this address.')).toBeTruthy()
})

it('shows who asks without a word on whose call it is where several may be', async () => {
  await show(elicitation('a', { asker: { kind: '' } }))
  expect(screen.getByText('asks').textContent).toBe('asks')
})

it('folds a long message and counts what it doesn’t show', async () => {
  await show(
    elicitation('a', { message: 'word '.repeat(400_000), schema: properties({ a: { type: 'string' } }) }),
  )
  const message = () => document.querySelector('.message')?.textContent ?? ''
  expect(message().length).toBeLessThan(1300)
  await fireEvent.click(button('Show more: 1,998,800 characters are not shown'))
  expect(message().length).toBe(401_201)
})

it('draws fields in steps, and the one that needs a fix with the focus', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 130 }, (_, i) => [`f${i}`, { type: 'string', title: `Field ${i}.` } as Json]),
  )
  await show(elicitation('a', { schema: properties(fields, ['f120']) }))
  const inputs = () => document.querySelectorAll('.fields input')
  expect(inputs()).toHaveLength(100)
  expect(screen.getByText('100 of 130 fields.')).toBeTruthy()
  await fireEvent.click(button('Accept'))
  await waitFor(() => expect(document.activeElement).toBe(inputs()[120]))
  await fireEvent.click(button('Show 9 more'))
  expect(inputs()).toHaveLength(130)
})

it('draws five thousand choices in steps, finds one, and sends what was chosen', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => `choice ${i}`)
  const { sent } = await show(
    elicitation('a', {
      schema: properties(
        {
          one: { type: 'string', title: 'One', enum: many },
          some: {
            type: 'array',
            title: 'Some',
            items: { type: 'string', enum: many },
            default: ['choice 4321'],
          },
        },
        ['one'],
      ),
    }),
  )
  const radios = () => screen.getAllByRole('radio')
  expect(radios()).toHaveLength(100)
  expect(screen.getAllByRole('checkbox')).toHaveLength(100)
  expect((screen.getByRole('checkbox', { name: 'choice 4321' }) as HTMLInputElement).checked).toBe(true)
  await fireEvent.click(button('Accept'))
  await waitFor(() => expect(document.activeElement).toBe(radios()[0]))
  expect(screen.getByRole('radiogroup', { name: 'One' }).getAttribute('aria-invalid')).toBe('true')

  await fireEvent.input(screen.getByRole('searchbox', { name: 'Search One' }), { target: { value: '4999' } })
  expect(radios()).toHaveLength(1)
  expect(screen.getByText('1 of 5,000 fit, none chosen')).toBeTruthy()
  await fireEvent.click(screen.getByRole('radio', { name: 'choice 4999' }))
  await fireEvent.input(screen.getByRole('searchbox', { name: 'Search Some' }), {
    target: { value: 'choice 77' },
  })
  await fireEvent.click(screen.getByRole('checkbox', { name: 'choice 77' }))
  await fireEvent.click(button('Accept'))
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({
      action: 'accept',
      content: { one: 'choice 4999', some: ['choice 77', 'choice 4321'] },
    }),
  )
})

it('folds the long words of a choice, and of a field', async () => {
  const words = (start: string) => `${start} ${'word '.repeat(2000)}`
  await show(
    elicitation('a', {
      schema: properties({
        one: {
          type: 'string',
          title: words('Title'),
          description: words('Help'),
          enum: [words('A'), words('B')],
        },
      }),
    }),
  )
  const length = () => document.querySelector('.fields')?.textContent?.length ?? 0
  expect(length()).toBeLessThan(2500)
  const more = screen.getAllByRole('button', { name: /^Show [\d,]+ more characters$/ })
  expect(more).toHaveLength(2)
  await fireEvent.click(more[0] as HTMLElement)
  expect(length()).toBeGreaterThan(10_000)
})

it('folds a long address and keeps its host in sight', async () => {
  const url = `https://user${'x'.repeat(9000)}@pay.example.org/${'y'.repeat(9000)}end`
  await show(elicitation('a', { mode: 'url', schema: null, url }))
  const shown = () => document.querySelector('.url')?.textContent?.trim() ?? ''
  expect(shown().length).toBeLessThan(900)
  expect(shown()).toMatch(/^https:\/\/user.*x@pay\.example\.org\/y.*end$/)
  await fireEvent.click(button(/^Show the whole address/))
  expect(shown()).toBe(url)
})
