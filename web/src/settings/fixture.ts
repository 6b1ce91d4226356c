// A model and a rule for tests.
import type { LanguageModel, Rule } from '../lib/wire'

export function aModel(more: Partial<LanguageModel> = {}): LanguageModel {
  return {
    ...{
      name: 'Sonnet',
      provider: 'anthropic',
      base_url: '',
      model: 'claude-sonnet-4-5',
      api_key: { set: true },
    },
    ...{ context_tokens: 200_000, images: true, default: true, price_input: 3, price_output: 15 },
    ...more,
  }
}

export function aRule(more: Partial<Rule> = {}): Rule {
  return {
    ...{
      id: 'r1',
      position: 0,
      agent: '',
      asker: '',
      server: '',
      tool: '',
      action: 'ask' as const,
      note: '',
    },
    created_at: '2026-11-30T14:00:00.000Z',
    ...more,
  }
}
