// The models that a provider says it has, offered while one is typed.
import type { LanguageModel, ModelEndpoint, OfferedModel } from '../lib/wire'
import { wireValue } from '../servers/values'
import { modelProblems, presetById, type ModelDraft } from './model'

/** Where to ask for them; null while the address or a key that is needed is missing. */
export function endpointOf(draft: ModelDraft, before?: LanguageModel): ModelEndpoint | null {
  const preset = presetById(draft.preset)
  if (preset.provider === 'scripted') return null
  const { baseUrl, key } = modelProblems(draft, [], before)
  const needsKey = !preset.local && preset.id !== 'other'
  const hasKey = draft.key.intent === 'keep' || (draft.key.intent === 'set' && draft.key.text.trim() !== '')
  if (baseUrl ?? key ?? (needsKey && !hasKey)) return null
  return { provider: preset.provider, base_url: draft.baseUrl.trim(), api_key: wireValue(draft.key) }
}

/** Takes a model, and the size that the provider says it has in the place of the size of the one before. */
export function takeModel(draft: ModelDraft, id: string, offered: readonly OfferedModel[]): void {
  const before = sizeOf(draft.model, offered)
  draft.model = id
  if (draft.contextTokens === '' || draft.contextTokens === before) draft.contextTokens = sizeOf(id, offered)
}

function sizeOf(id: string, offered: readonly OfferedModel[]): string {
  const size = offered.find((model) => model.id === id.trim())?.context_tokens ?? 0
  return size > 0 ? String(size) : ''
}
