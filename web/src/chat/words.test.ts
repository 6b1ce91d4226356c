import { describe, expect, it } from 'vitest'
import { aMessage, anAnswer, aResult } from './fixture'
import {
  activated,
  answerIn,
  builtIn,
  countDown,
  cutText,
  goOn,
  groupTrouble,
  noteText,
  noteTone,
  priceOf,
  reasonOf,
  tokens,
} from './words'

const note = (id: string, code: string) => aMessage(id, { role: 'note', parts: [{ kind: 'note', code }] })
const use = { kind: 'tool_use' as const, use_id: 'u1', name: 'notify' }

describe('goOn', () => {
  const said = anAnswer('b', [{ kind: 'text', text: 'Done.' }])
  it.each([
    ['nothing was said', [], null],
    ['the person has the last word', [aMessage('a')], 'Try again'],
    ['the person ran a tool last', [aMessage('a', { parts: [{ kind: 'call', call_id: 'c' }] })], null],
    ['the answer is whole', [aMessage('a'), said], 'Answer again'],
    ['it was stopped', [{ ...said, finish: 'stopped' }], 'Answer again'],
    ['it was cut', [{ ...said, finish: 'length' }, note('c', 'length')], 'Go on'],
    ['it failed', [{ ...said, finish: 'failed', error: { code: 'x', message: 'y' } }], 'Try again'],
    ['Kontor was restarted', [aMessage('a'), note('b', 'interrupted')], 'Go on'],
    [
      'it was stopped between two steps',
      [anAnswer('a', [use]), aResult('b', 'u1'), note('c', 'stopped')],
      'Go on',
    ],
  ] as const)('when %s', (_, messages, want) => {
    expect(goOn(messages)).toBe(want)
  })
})

it.each([
  ['activate_tools', { groups: ['demo', 'github'] }, true, 'Switched on tools demo, github'],
  ['search_tools', { query: 'invoices' }, false, 'Searching tools “invoices”'],
  ['ask_user', { question: 'Go on?' }, false, 'Asks you “Go on?”'],
  ['notify', { title: 'Ready', message: 'The report' }, true, 'Notified you “Ready”'],
  ['read_resource', { server: 'demo', uri: 'demo://about' }, true, 'Read a resource demo://about'],
  ['set_secret', { name: 'GITHUB_TOKEN' }, false, 'Asks you for a secret GITHUB_TOKEN'],
  ['search_tools', 'not an object', true, 'Searched tools '],
])('%s is told in a line', (name, args, done, want) => {
  const { did, what } = builtIn(name, args, done)
  expect(`${did} ${what}`).toBe(want)
})

it('says what switching tools on came to, group by group', () => {
  const result =
    'demo: activated: 3 tools can be called\ngithub: needs_sign_in: the person has to\nx: unknown: no'
  expect(activated(result)).toBe('demo, github (needs a sign-in), x (unknown)')
  expect(activated('Something else went wrong')).toBe('')
})

it('finds what the person answered', () => {
  expect(answerIn('The person answered: Green,\nor blue')).toBe('Green,\nor blue')
  expect(answerIn('The person doesn’t want to answer this.')).toBe('')
})

it('tells a person what was written to the model', () => {
  const switched = { on: ['config', 'a.b'], off: ['demo'] }
  const note = { kind: 'note', code: 'groups_changed', text: 'The person switched …', switched } as const
  expect(noteText(note, (name) => name.toUpperCase())).toBe(
    'You switched on: CONFIG, A.B. You switched off: DEMO.',
  )
  expect(noteText({ ...note, switched: { on: ['demo'] } })).toBe('You switched on: demo.')
  const stopped = { kind: 'note', code: 'stopped', text: 'The person stopped the turn here.' } as const
  expect(noteText(stopped)).toBe('You stopped it')
  expect([noteTone('interrupted'), noteTone('stopped')]).toEqual(['warn', 'idle'])
})

it('says what the model did not get', () => {
  expect(cutText({ cut: { shown: 12_000, total: 40_000 } })).toBe('The model got 12 KB of 40 KB.')
  expect(cutText({ cut: { shown: 40, total: 40 } })).toBe('')
  expect(cutText({})).toBe('')
})

it.each([
  [0, '0'],
  [999, '999'],
  [1234, '1.2k'],
  [41_200, '41k'],
])('%d tokens are %s', (count, want) => {
  expect(tokens(count)).toBe(want)
})

it('adds up what is on', () => {
  const group = { name: '', title: '', description: '', tools: 1, state: 'ready', reason: '' } as const
  expect(
    priceOf([
      { ...group, tokens: 5, active: true },
      { ...group, tokens: 7, active: false },
    ]),
  ).toBe(5)
  expect([groupTrouble('ready'), groupTrouble('needs_sign_in')]).toEqual(['', 'needs a sign-in'])
})

it.each([
  [{ fault: 'They are no JSON.' }, undefined, 'They are no JSON.'],
  [{}, { text: 'There is no tool no_such_tool.\nThere are: a, b' }, 'There is no tool no_such_tool.'],
  [{}, undefined, ''],
])('has a line for why it failed: %j', (use, result, line) => {
  expect(reasonOf(use, result)).toBe(line)
})

it('counts down to when a model is asked again', () => {
  const now = Date.parse('2026-11-30T14:00:10.500Z')
  expect(countDown('2026-11-30T14:00:21.000Z', now)).toBe('Trying again in 11 s.')
  expect(countDown('2026-11-30T14:00:10.500Z', now)).toBe('Tried again.')
})
