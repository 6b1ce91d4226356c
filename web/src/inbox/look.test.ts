import Check from '@lucide/svelte/icons/check'
import CircleHelp from '@lucide/svelte/icons/circle-question-mark'
import Link from '@lucide/svelte/icons/link'
import Lock from '@lucide/svelte/icons/lock'
import { expect, it } from 'vitest'
import type { Elicitation } from '../lib/wire'
import type { Icon } from '../ui/states'
import { lookOf } from './look'
import { elicitation } from './testing'

const form = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

it.each<[string, Partial<Elicitation>, Icon]>([
  ['a link', { mode: 'url', schema: null, url: 'https://pay.example/' }, Link],
  ['a yes or no', { schema: {} }, Check],
  ['a form', { schema: form('mail', 'name') }, CircleHelp],
  ['a form with a secret in it', { schema: form('user', 'password') }, Lock],
])('%s has an icon of its own', (_, more, want) => {
  expect(lookOf(elicitation('a', more)).icon).toBe(want)
})
