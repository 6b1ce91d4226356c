// Language models while they are typed: well-known providers, what is wrong with a
// field, the way from and to the wire.
import { emptyValue, valueDraft, wireValue, type ValueDraft } from '../servers/values'
import type { LanguageModel, LanguageModelConfig, ModelTrial } from '../lib/wire'
import { duration } from '../lib/time'

export interface Preset {
  id: string
  label: string
  provider: LanguageModel['provider']
  /** Its address; "" where the provider's own needs no telling. */
  url: string
  /** A model as it names them. */
  example: string
  /** It runs at the person's: there is no key. */
  local?: boolean
}

/** What a model gets that no size is known of: model.DefaultContextTokens. */
export const assumedContext = (32_768).toLocaleString('en')

const openai = { provider: 'openai' as const }

/** Everything that speaks as OpenAI does, and the others. The last but one takes any address. */
export const presets: readonly [Preset, ...Preset[]] = [
  { ...openai, id: 'openai', label: 'OpenAI', url: '', example: 'gpt-5' },
  { id: 'anthropic', label: 'Anthropic', provider: 'anthropic', url: '', example: 'claude-sonnet-4-5' },
  {
    ...openai,
    id: 'openrouter',
    label: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1',
    example: 'openai/gpt-5',
  },
  {
    ...openai,
    id: 'gemini',
    label: 'Google Gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    example: 'gemini-2.5-pro',
  },
  {
    ...openai,
    id: 'mistral',
    label: 'Mistral',
    url: 'https://api.mistral.ai/v1',
    example: 'mistral-large-latest',
  },
  {
    ...openai,
    id: 'groq',
    label: 'Groq',
    url: 'https://api.groq.com/openai/v1',
    example: 'openai/gpt-oss-120b',
  },
  {
    ...openai,
    id: 'deepseek',
    label: 'DeepSeek',
    url: 'https://api.deepseek.com/v1',
    example: 'deepseek-chat',
  },
  {
    ...openai,
    id: 'ollama',
    label: 'Ollama',
    url: 'http://127.0.0.1:11434/v1',
    example: 'qwen3:8b',
    local: true,
  },
  {
    ...openai,
    id: 'lmstudio',
    label: 'LM Studio',
    url: 'http://127.0.0.1:1234/v1',
    example: 'qwen3-8b',
    local: true,
  },
  {
    ...openai,
    id: 'llamacpp',
    label: 'llama.cpp',
    url: 'http://127.0.0.1:8080/v1',
    example: 'default',
    local: true,
  },
  { ...openai, id: 'other', label: 'Another one like OpenAI', url: '', example: 'model-name' },
  {
    id: 'scripted',
    label: 'A script, to try Kontor without a model',
    provider: 'scripted',
    url: '',
    example: '',
  },
]

export interface ModelDraft {
  preset: string
  /** As typed; null while the suggested one holds. */
  name: string | null
  baseUrl: string
  model: string
  key: ValueDraft
  contextTokens: string
  images: boolean
  isDefault: boolean
  priceInput: string
  priceOutput: string
  script: string
}

export type ModelField = 'name' | 'baseUrl' | 'model' | 'key' | 'contextTokens' | 'priceInput' | 'priceOutput'

export function presetOf({ provider, base_url }: Pick<LanguageModel, 'provider' | 'base_url'>): Preset {
  const same = (url: string) => url.replace(/\/+$/, '') === base_url.replace(/\/+$/, '')
  const fits = presets.find(
    (preset) => preset.provider === provider && preset.id !== 'other' && same(preset.url),
  )
  return fits ?? presets.find(({ id }) => id === (provider === 'openai' ? 'other' : provider)) ?? presets[0]
}

export function presetById(id: string): Preset {
  return presets.find((preset) => preset.id === id) ?? presets[0]
}

export function emptyModel(): ModelDraft {
  return {
    ...{ preset: presets[0].id, name: null, baseUrl: '', model: '', key: emptyValue(0), contextTokens: '' },
    ...{ images: false, isDefault: false, priceInput: '', priceOutput: '', script: '' },
  }
}

export function modelDraft(model: LanguageModel): ModelDraft {
  const figure = (n: number) => (n > 0 ? String(n) : '')
  return {
    preset: presetOf(model).id,
    name: model.name,
    baseUrl: model.base_url,
    model: model.model,
    key: valueDraft(0, '', model.api_key === '' ? undefined : model.api_key),
    contextTokens: figure(model.context_tokens),
    images: model.images,
    isDefault: model.default,
    priceInput: figure(model.price_input),
    priceOutput: figure(model.price_output),
    script: model.script ?? '',
  }
}

/** Takes the preset's address in the place of the one before. */
export function choosePreset(draft: ModelDraft, id: string): void {
  draft.preset = id
  draft.baseUrl = presetById(id).url
}

/** What it is called: as typed, or after the model. */
export function modelName(draft: ModelDraft, taken: readonly string[]): string {
  if (draft.name !== null) return draft.name
  const own = draft.preset === 'scripted' ? 'script' : (draft.model.trim().split('/').pop() ?? '')
  const name = own.slice(0, 60)
  if (name === '') return ''
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name} ${n}`
    if (!taken.includes(numbered)) return numbered
  }
}

/** `taken` are the names of the other models, `before` is this one as it is stored. */
export function modelProblems(
  draft: ModelDraft,
  taken: readonly string[],
  before?: LanguageModel,
): Partial<Record<ModelField, string>> {
  const problems: Partial<Record<ModelField, string>> = {}
  const preset = presetById(draft.preset)
  const name = modelName(draft, taken).trim()
  if (name === '') problems.name = 'Give it a name.'
  else if ([...name].length > 64) problems.name = 'Use 64 characters at most.'
  else if (/^\.\.?$|\//.test(name)) problems.name = 'A name has no slash, and isn’t just dots.'
  else if (taken.includes(name)) problems.name = `There is a model named “${name}” already.`
  if (preset.provider !== 'scripted') {
    if (draft.model.trim() === '') problems.model = 'Say which model, as the provider names it.'
    const address = addressProblem(draft.baseUrl.trim(), preset.id === 'other')
    if (address) problems.baseUrl = address
    else if (before && draft.key.intent === 'keep' && goesElsewhere(draft, before)) {
      problems.key = 'It was entered for another address: enter it again, or clear it.'
    }
  }
  if (!/^\d*$/.test(digits(draft.contextTokens))) problems.contextTokens = 'A whole number, such as 128000.'
  if (price(draft.priceInput) === null) problems.priceInput = 'A number, such as 1.25.'
  if (price(draft.priceOutput) === null) problems.priceOutput = 'A number, such as 10.'
  return problems
}

function addressProblem(address: string, required: boolean): string {
  if (address === '') return required ? 'Enter its address, such as http://127.0.0.1:8000/v1.' : ''
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return 'An address begins with http:// or https://.'
  return url.username || url.password ? 'No name and password in it: the key has a field of its own.' : ''
}

/** Its requests, and with them its key, would go to another host than now. */
function goesElsewhere(draft: ModelDraft, before: LanguageModel): boolean {
  const origin = (address: string) => (URL.canParse(address) ? new URL(address).origin : '')
  return (
    presetById(draft.preset).provider !== before.provider || origin(draft.baseUrl) !== origin(before.base_url)
  )
}

const digits = (text: string) => text.replace(/[\s_,.']/g, '')

/** The figure, 0 for none, null when it is no number. */
function price(text: string): number | null {
  const figure = text.trim().replace(',', '.')
  return /^(\d+(\.\d*)?|\.\d+)?$/.test(figure) ? Number(figure) : null
}

/** What is written. */
export function wireModel(draft: ModelDraft, taken: readonly string[]): LanguageModelConfig {
  const preset = presetById(draft.preset)
  const common = { name: modelName(draft, taken).trim(), provider: preset.provider, default: draft.isDefault }
  if (preset.provider === 'scripted')
    return { ...common, script: draft.script, context_tokens: Number(digits(draft.contextTokens)) }
  return {
    ...common,
    base_url: draft.baseUrl.trim(),
    model: draft.model.trim(),
    api_key: wireValue(draft.key),
    context_tokens: Number(digits(draft.contextTokens)),
    images: draft.images,
    price_input: price(draft.priceInput) ?? 0,
    price_output: price(draft.priceOutput) ?? 0,
  }
}

/** A stored one as it is written back, with its key kept. */
export function sameModel(
  model: LanguageModel,
  changes: Partial<LanguageModelConfig> = {},
): LanguageModelConfig {
  return { ...model, ...changes }
}

/** "Ollama, qwen3:8b, 32k context, sees images": what a list says of it. */
export function modelWords(model: LanguageModel): string {
  const preset = presetOf(model)
  const host = URL.canParse(model.base_url) ? new URL(model.base_url).host : ''
  const where =
    preset.id === 'other' ? host : preset.provider === 'scripted' ? 'plays a script' : preset.label
  const parts = [
    where,
    model.model !== model.name && model.model,
    model.context_tokens > 0
      ? `${tokenWords(model.context_tokens)} context`
      : preset.provider !== 'scripted' && `${assumedContext} tokens of context assumed`,
    model.images && 'sees images',
    (model.price_input > 0 || model.price_output > 0) &&
      `${model.price_input} in, ${model.price_output} out per million`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** "200k", "1.05M". */
export function tokenWords(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`
  return `${Number((tokens / 1_000_000).toFixed(2))}M`
}

/** What to do, in the words for these settings: they are not where to go, but where one is. */
export function fixHere(fix: string): string {
  return fix.replaceAll(' in Settings → Models', '')
}

/** "answered in 0.8 s", or that it did not. */
export function trialWords({ ok, ms }: ModelTrial): string {
  return ok ? `answered in ${duration(ms)}` : 'no answer'
}
