import { expect, it } from 'vitest'
import { aModel } from './fixture'
import { choosePreset, emptyModel, modelDraft, type ModelDraft } from './model'
import { endpointOf, takeModel } from './offered'

function draft(preset: string, key = '', more: Partial<ModelDraft> = {}): ModelDraft {
  const typed = emptyModel()
  choosePreset(typed, preset)
  typed.key.text = key
  return { ...typed, ...more }
}

it.each<[string, ModelDraft, object | null]>([
  ['OpenAI needs a key', draft('openai'), null],
  ['and no address', draft('openai', 'sk'), { provider: 'openai', base_url: '', api_key: 'sk' }],
  ['so does Anthropic', draft('anthropic', 'sk'), { provider: 'anthropic', base_url: '', api_key: 'sk' }],
  ['a local one needs none', draft('ollama'), { base_url: 'http://127.0.0.1:11434/v1', api_key: '' }],
  ['another needs an address', draft('other'), null],
  ['that can be read', draft('other', '', { baseUrl: 'x' }), null],
  ['and nothing else', draft('other', '', { baseUrl: 'http://x/v1' }), { base_url: 'http://x/v1' }],
  ['a script has none', draft('scripted'), null],
])('the models can be asked for: %s', (_, typed, want) => {
  const got = endpointOf(typed)
  if (want === null) expect(got).toBeNull()
  else expect(got).toMatchObject(want)
})

it('a stored key goes nowhere else', () => {
  const stored = aModel()
  expect(endpointOf(modelDraft(stored), stored)).toMatchObject({ api_key: { set: true } })
  expect(endpointOf({ ...modelDraft(stored), baseUrl: 'https://else.example' }, stored)).toBeNull()
})

it.each<[string, Partial<ModelDraft>, string, string]>([
  ['is taken where there is none', { model: 'x', contextTokens: '' }, 'big', '200000'],
  ['follows the model', { model: 'big', contextTokens: '200000' }, 'small', '8192'],
  ['is unknown again', { model: 'big', contextTokens: '200000' }, 'none', ''],
  ['stays as typed', { model: 'big', contextTokens: '100000' }, 'small', '100000'],
])('the size %s', (_, before, id, want) => {
  const typed = draft('other', '', before)
  const offered = [
    { id: 'big', context_tokens: 200_000 },
    { id: 'small', context_tokens: 8192 },
    { id: 'none', context_tokens: 0 },
  ]
  takeModel(typed, id, offered)
  expect(typed.model).toBe(id)
  expect(typed.contextTokens).toBe(want)
})
