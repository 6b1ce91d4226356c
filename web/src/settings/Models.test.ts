import { fireEvent, screen, waitFor } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import type { LanguageModel, ModelTrial, OfferedModels } from '../lib/wire'
import { aModel } from './fixture'
import Models from './Models.svelte'
import { show } from './testing'

const button = (name: string) => screen.getByRole('button', { name })

function models(items: LanguageModel[], trial?: ModelTrial, offered: OfferedModels = { items: [] }) {
  return show(Models, ({ method, url }) => {
    if (url.startsWith('/api/models/offered')) return offered
    if (url.startsWith('/api/models/test')) return trial ?? new Error('It can’t be tried.')
    return method === 'GET' ? { items, next: null } : aModel()
  })
}

it('leads to the first model', async () => {
  const { sent } = models([])
  await waitFor(() => expect(screen.getByText('There is no model yet')).toBeTruthy())
  await fireEvent.click(button('Add a model'))
  await fireEvent.change(screen.getByLabelText('Provider'), { target: { value: 'ollama' } })
  expect(screen.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('http://127.0.0.1:11434/v1')
  await fireEvent.click(button('Save model'))
  const field = screen.getByLabelText(/^Model/, { selector: 'input' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  const saves = () => sent.filter(({ url }) => url === '/api/models')
  expect(saves()).toEqual([])
  await fireEvent.input(field, { target: { value: 'qwen3:8b' } })
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('qwen3:8b')
  await fireEvent.click(button('Save model'))
  await waitFor(() => expect(saves()).toHaveLength(1))
  expect(saves()[0]).toMatchObject({
    ...{ method: 'POST', url: '/api/models' },
    body: { name: 'qwen3:8b', provider: 'openai', base_url: 'http://127.0.0.1:11434/v1', default: true },
  })
})

it('asks for the models once the key is there, and offers them with their sizes', async () => {
  const { sent } = models([], undefined, { items: [{ id: 'gpt-5', context_tokens: 400_000 }] })
  await waitFor(() => button('Add a model'))
  await fireEvent.click(button('Add a model'))
  const field = screen.getByLabelText<HTMLInputElement>(/^Model/, { selector: 'input' })
  await fireEvent.focus(field)
  expect(screen.getByText(/With the address and the key entered/)).toBeTruthy()
  expect(sent).toEqual([])
  await fireEvent.input(screen.getByLabelText('API key', { selector: 'input' }), {
    target: { value: 'sk-1' },
  })
  await fireEvent.focus(field)
  await waitFor(() => expect(screen.getByText(/^One model/)).toBeTruthy())
  const body = { provider: 'openai', base_url: '', api_key: 'sk-1' }
  expect(sent).toEqual([{ method: 'POST', url: '/api/models/offered', body }])
  await fireEvent.input(field, { target: { value: 'gpt-5' } })
  expect(screen.getByLabelText<HTMLInputElement>('Context').value).toBe('400000')
  await fireEvent.focus(field)
  expect(sent).toHaveLength(1)
})

it('says why there is no list, and keeps what was typed', async () => {
  const error = { code: 'key_refused', message: 'x refused the key', fix: 'Enter it again.' }
  const { sent } = models([aModel()], undefined, { items: [], error })
  await waitFor(() => expect(screen.getByText('Sonnet')).toBeTruthy())
  await fireEvent.click(button('More for Sonnet'))
  await fireEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  const field = screen.getByLabelText<HTMLInputElement>(/^Model/, { selector: 'input' })
  await fireEvent.focus(field)
  await waitFor(() => expect(screen.getByText(/X refused the key. Enter it again./)).toBeTruthy())
  expect(field.value).toBe('claude-sonnet-4-5')
  await fireEvent.click(button('Ask again'))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toEqual({
    ...{ method: 'POST', url: '/api/models/offered?name=Sonnet' },
    body: { provider: 'anthropic', base_url: '', api_key: { set: true } },
  })
})

it('tells how long an answer took, and what it was', async () => {
  const { sent } = models([aModel()], { ok: true, ms: 812, said: 'Ready.' })
  await waitFor(() => expect(screen.getByText('Sonnet')).toBeTruthy())
  await fireEvent.click(button('Test Sonnet'))
  await waitFor(() => expect(screen.getByText('answered in 0.81 s')).toBeTruthy())
  expect(screen.getByText('Ready.')).toBeTruthy()
  expect(sent).toEqual([{ method: 'POST', url: '/api/models/test?name=Sonnet', body: aModel() }])
})

it('tells why there is none, and what to do', async () => {
  const error = { code: 'unauthorized', message: 'the key is refused', fix: 'enter another' }
  models([aModel()], { ok: false, ms: 0, said: '', error })
  await waitFor(() => expect(screen.getByText('Sonnet')).toBeTruthy())
  await fireEvent.click(button('Test Sonnet'))
  await waitFor(() => expect(screen.getByText('The key is refused.')).toBeTruthy())
  expect(screen.getByText(/Enter another\./)).toBeTruthy()
  expect(screen.getByText('no answer')).toBeTruthy()
})

it('shows a refusal at the form, with all that was typed', async () => {
  show(Models, ({ method }) => (method === 'GET' ? { items: [], next: null } : new Error('the disk is full')))
  await waitFor(() => button('Add a model'))
  await fireEvent.click(button('Add a model'))
  const field = screen.getByLabelText<HTMLInputElement>(/^Model/, { selector: 'input' })
  await fireEvent.input(field, { target: { value: 'gpt-5' } })
  await fireEvent.click(button('Save model'))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The disk is full.'))
  expect(field.value).toBe('gpt-5')
})

it('says that the list could not be read', async () => {
  show(Models, () => new Error('No.'))
  await waitFor(() => expect(screen.getByText('The models could not be read')).toBeTruthy())
})
