import { describe, expect, it } from 'vitest'
import type { LanguageModel } from '../lib/wire'
import { aModel } from './fixture'
import {
  choosePreset,
  emptyModel,
  modelDraft,
  modelName,
  modelProblems,
  modelWords,
  presetOf,
  presets,
  wireModel,
  type ModelDraft,
  fixHere,
} from './model'

const draft = (more: Partial<ModelDraft> = {}): ModelDraft => ({ ...emptyModel(), model: 'gpt-5', ...more })

it('knows every provider by its address', () => {
  for (const preset of presets) {
    if (preset.id !== 'other')
      expect(presetOf({ provider: preset.provider, base_url: preset.url })).toBe(preset)
  }
  expect(presetOf({ provider: 'openai', base_url: 'http://gpu-1.lan:8000/v1' }).id).toBe('other')
  expect(presetOf({ provider: 'openai', base_url: 'http://127.0.0.1:11434/v1/' }).id).toBe('ollama')
  expect(presetOf({ provider: 'anthropic', base_url: 'https://proxy.example' }).id).toBe('anthropic')
})

it.each<[string, Partial<ModelDraft>, string[], string]>([
  ['after the model', { model: 'openai/gpt-5' }, [], 'gpt-5'],
  ['unlike the others', { model: 'gpt-5' }, ['gpt-5'], 'gpt-5 2'],
  ['as typed', { name: 'Fast' }, ['Fast'], 'Fast'],
  ['not at all', { model: '' }, [], ''],
  ['a script', { preset: 'scripted', model: '' }, [], 'script'],
])('is called %s', (_, more, taken, want) => {
  expect(modelName(draft(more), taken)).toBe(want)
})

describe('what is wrong', () => {
  it.each<[string, Partial<ModelDraft>, string[]]>([
    ['nothing', {}, []],
    ['no model', { model: ' ', name: 'x' }, ['model']],
    ['no name', { name: ' ' }, ['name']],
    ['a long name', { name: 'x'.repeat(65) }, ['name']],
    ['a name that is taken', { name: 'Sonnet' }, ['name']],
    ['another’s address', { preset: 'other', baseUrl: '' }, ['baseUrl']],
    ['no address', { baseUrl: 'ftp://x' }, ['baseUrl']],
    ['a key in the address', { baseUrl: 'https://me:key@x.example/v1' }, ['baseUrl']],
    ['a size in words', { contextTokens: '128k' }, ['contextTokens']],
    ['a size with commas', { contextTokens: '128,000' }, []],
    ['a price in words', { priceInput: 'cheap', priceOutput: '-1' }, ['priceInput', 'priceOutput']],
    ['a price with a comma', { priceInput: '1,25' }, []],
    ['a name with a slash', { name: 'a/b' }, ['name']],
    ['a script needs no model', { preset: 'scripted', model: '' }, []],
  ])('%s', (_, more, want) => {
    expect(Object.keys(modelProblems(draft(more), ['Sonnet']))).toEqual(want)
  })
})

it('writes what was typed', () => {
  const typed = draft({ contextTokens: '128 000', priceInput: '1,25', priceOutput: '10' })
  typed.key.text = 'sk-1'
  choosePreset(typed, 'openrouter')
  expect(wireModel(typed, [])).toEqual({
    ...{
      name: 'gpt-5',
      provider: 'openai',
      base_url: 'https://openrouter.ai/api/v1',
      model: 'gpt-5',
      api_key: 'sk-1',
    },
    ...{ context_tokens: 128_000, images: false, default: false, price_input: 1.25, price_output: 10 },
  })
})

it('keeps a stored key, and writes back what it read', () => {
  expect(wireModel(modelDraft(aModel()), [])).toEqual(aModel())
  const cleared = modelDraft(aModel())
  cleared.key.intent = 'clear'
  expect(wireModel(cleared, []).api_key).toBeNull()
})

it.each<[string, Partial<ModelDraft>, string[]]>([
  ['where it was', { model: 'claude-opus-4-5' }, []],
  ['on another host', { baseUrl: 'https://proxy.example' }, ['key']],
  ['at another provider', { preset: 'openai' }, ['key']],
])('keeps a key for one address: %s', (_, more, want) => {
  const changed = { ...modelDraft(aModel()), ...more }
  expect(Object.keys(modelProblems(changed, [], aModel()))).toEqual(want)
})

it('sends no key and no address with a script', () => {
  const typed = draft({ preset: 'scripted', script: 'turn\nsay Hello.' })
  expect(wireModel(typed, [])).toEqual({
    ...{
      name: 'script',
      provider: 'scripted',
      default: false,
      context_tokens: 0,
      script: 'turn\nsay Hello.',
    },
  })
})

it.each<[Partial<LanguageModel>, string]>([
  [{}, 'Anthropic, claude-sonnet-4-5, 200k context, sees images, 3 in, 15 out per million'],
  [
    {
      provider: 'openai',
      base_url: 'http://gpu-1.lan:8000/v1',
      name: 'q',
      model: 'q',
      price_input: 0,
      price_output: 0,
    },
    'gpu-1.lan:8000, 200k context, sees images',
  ],
  [
    {
      provider: 'scripted',
      model: '',
      images: false,
      context_tokens: 1_048_576,
      price_input: 0,
      price_output: 0,
    },
    'plays a script, 1.05M context',
  ],
])('is told in words', (more, want) => {
  expect(modelWords(aModel(more))).toBe(want)
})

it('sends nobody to the settings that they are in', () => {
  const fix = 'Enter the key again in Settings → Models, and check that it may use this model.'
  expect(fixHere(fix)).toBe('Enter the key again, and check that it may use this model.')
})
