import { describe, expect, it } from 'vitest'
import type { Tool } from '../lib/wire'
import { serverOf } from './fixture'
import { priceWords } from './price'

const tools = [
  { server: 'demo', tool: 'echo', tokens: 100 },
  { server: 'demo', tool: 'sum', tokens: 1_100 },
  { server: 'other', tool: 'echo', tokens: 7 },
] as Tool[]

describe('priceWords', () => {
  it.each([
    ['all on', serverOf(), '2 tools', '1,200 tokens'],
    ['one off', serverOf({ disabled_tools: ['sum'] }), '1 of 2 tools', '100 tokens'],
    ['away', serverOf({ status: { state: 'failed' } }), '2 tools', '1,200 tokens, saved'],
    ['off', serverOf({ enabled: false }), '2 tools', 'off, costs nothing'],
    ['without a list', serverOf({ name: 'new', status: { tools: 0 } }), '0 tools', ''],
  ])('%s', (_, server, words, price) => {
    expect(priceWords(server, tools)).toEqual({ tools: words, price })
  })

  it('says what the state knows until the tools are read', () => {
    expect(priceWords(serverOf(), null)).toEqual({ tools: '3 tools', price: '' })
  })
})
