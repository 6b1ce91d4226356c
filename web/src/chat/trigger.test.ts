import { expect, it } from 'vitest'
import { triggerAt, withoutTrigger } from './trigger'

it.each([
  ['/', 'prompt', ''],
  ['/po', 'prompt', 'po'],
  ['@', 'resource', ''],
  ['look at @rea', 'resource', 'rea'],
  ['a\n@x', 'resource', 'x'],
])('%j asks for a %s like %j', (text, kind, query) => {
  expect(triggerAt(text, text.length)).toMatchObject({ kind, query, to: text.length })
})

it.each(['', 'a /po', '/etc/passwd', '/po em', 'me@example.com', '@read me', 'and/or'])(
  '%j asks for nothing',
  (text) => {
    expect(triggerAt(text, text.length)).toBeNull()
  },
)

it('looks at what is before the caret alone', () => {
  expect(triggerAt('see @rea and go', 8)).toEqual({ kind: 'resource', query: 'rea', from: 4, to: 8 })
  expect(triggerAt('see @rea and go', 10)).toBeNull()
})

it.each([
  ['see @rea and go', 8, 'see and go'],
  ['/po', 3, ''],
  ['@rea', 4, ''],
])('takes the sign out of %j', (text, caret, want) => {
  const trigger = triggerAt(text, caret)
  expect(trigger && withoutTrigger(text, trigger)).toBe(want)
})
