import { expect, it } from 'vitest'
import { parseJson, type Json } from '../lib/json'
import { readArguments, visibleJson, type ArgumentView } from './arguments'

const views = (args: Json) => readArguments(args).views
const kinds = (args: Json) => views(args).map((view) => `${view.name}: ${view.kind}`)
const text = (view: ArgumentView | undefined) => (view && 'text' in view ? view.text : '')

it.each<[string, Json, string[]]>([
  ['nothing', {}, []],
  ['short values', { a: 'x', n: 3, t: true, z: null }, ['a: short', 'n: short', 't: short', 'z: short']],
  ['long text', { a: 'x'.repeat(81), b: 'one\ntwo' }, ['a: long', 'b: long']],
  ['structures', { a: [1], b: { c: 'x'.repeat(60) } }, ['a: short', 'b: long']],
  ['a command', { command: 'rm -rf /', host: 'nas' }, ['command: command', 'host: short']],
  [
    'a program',
    { args: ['-y', 'x'], name: 'x', command: 'npx' },
    ['command and args: command', 'name: short'],
  ],
  ['variables', { env: { A: '1' } }, ['env: values']],
  ['no variables', { env: { A: { b: 1 } } }, ['env: short']],
  [
    'an edit',
    { path: 'a', old_string: 'x', new_string: 'y' },
    ['path: short', 'old_string and new_string: diff'],
  ],
  ['half an edit', { new_string: 'y' }, ['new_string: short']],
  ['a patch', { patch: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' }, ['patch: diff']],
  ['no object', [1], [': long']],
])('%s', (_, args, want) => {
  expect(kinds(args)).toEqual(want)
})

it('shows a program with the boundaries of its arguments', () => {
  expect(text(views({ command: 'sh', args: ['-c', 'rm -rf /', ''] })[0])).toBe("sh -c 'rm -rf /' ''")
  expect(text(views({ command: ['sh', '-c', 'a b'] })[0])).toBe("sh -c 'a b'")
})

it('shows numbers as they will be sent', () => {
  expect(text(views(parseJson('{"n": 9007199254740993}'))[0])).toBe('9007199254740993')
})

it.each<[string, Json, boolean]>([
  ['a secret', { password: 'hunter2' }, true],
  ['a reference to one', { password: '${DB_PASSWORD}' }, false],
  ['nothing', { password: '' }, false],
  ['a text that no secret is', { token: 'word '.repeat(60) }, false],
  ['anything else', { city: 'Graz' }, false],
])('covers %s', (_, args, want) => {
  const [view] = views(args)
  expect(view && 'secret' in view && view.secret).toBe(want)
})

it('covers variables that are named like secrets, and no others', () => {
  const [view] = views({ env: { API_KEY: 'abc', HOME: '/root' } })
  expect(view).toMatchObject({
    values: [
      { name: 'API_KEY', secret: true },
      { name: 'HOME', secret: false },
    ],
  })
})

it.each<[string, Json, boolean, string]>([
  ['in a value', { file: 'a\u202egpj.exe' }, true, 'a‹U+202E›gpj.exe'],
  ['a control', { file: 'a\u001bb' }, true, 'a‹U+001B›b'],
  ['lines and tabs', { file: 'a\n\tb' }, false, 'a\n\tb'],
])('writes out what can’t be seen: %s', (_, args, hidden, want) => {
  expect(readArguments(args).hidden).toBe(hidden)
  expect(text(views(args)[0])).toBe(want)
})

it('writes it out in names and in what is nested, too', () => {
  const read = readArguments({ 'a\u200b': [{ b: 'c\u200d' }] })
  expect(read.hidden).toBe(true)
  expect(read.views[0]?.name).toBe('a‹U+200B›')
  expect(text(read.views[0])).toContain('c‹U+200D›')
  expect(visibleJson({ 'a\u200b': ['\u202e', 1] })).toEqual({ 'a‹U+200B›': ['‹U+202E›', 1] })
})

it('shows a patch by its parts', () => {
  const [view] = views({ patch: 'diff --git a b\n@@ -1 +1 @@\n same\n-old\n+new' })
  expect(
    view?.kind === 'diff' && view.hunks.map(({ title, lines }) => [title, lines.map(({ kind }) => kind)]),
  ).toEqual([
    ['diff --git a b', []],
    ['@@ -1 +1 @@', ['same', 'del', 'add']],
  ])
})
