import { fireEvent, screen, waitFor, within } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import type { AuditEntry, Decision } from '../lib/wire'
import { aRule } from './fixture'
import Policies from './Policies.svelte'
import { show } from './testing'

const button = (name: string) => screen.getByRole('button', { name })
const rules = [
  aRule({ id: 'a', action: 'deny', tool: '*drop*' }),
  aRule({ id: 'b', action: 'allow', server: 'demo', note: 'Mine.' }),
]
const entry: AuditEntry = {
  ...{ id: 'e1', at: '2026-11-30T14:00:00.000Z', call_id: 'c1', session_id: 's1', agent: 'main' },
  ...{
    asker: { kind: 'agent', label: 'Backup' },
    server: 'demo',
    tool: 'drop_all',
    arguments: { why: 'space' },
  },
  ...{
    decision: 'ask',
    outcome: 'rejected',
    rule_id: '',
    reason: 'no rule fits',
    scope: '',
    note: 'no',
    by: 'you',
  },
}

function policies(decision?: Decision, audit: AuditEntry[] = []) {
  let order = rules
  return show(Policies, ({ method, url, body }) => {
    if (url.includes('/audit')) return { items: audit, next: null }
    if (url.includes('/simulate')) return decision
    if (url.includes('/order')) {
      const { ids } = body as { ids: string[] }
      order = ids.flatMap((id) => rules.filter((rule) => rule.id === id))
    }
    if (url.includes('/agents')) return { items: [], next: null }
    return method === 'POST' ? aRule() : { items: order, next: null }
  })
}

const sentences = () =>
  [...document.querySelectorAll('.policy')].map((row) => row.querySelector('p')?.textContent)

it('says each rule as a sentence, and what holds without one', async () => {
  policies()
  await waitFor(() => expect(sentences()).toHaveLength(3))
  expect(sentences().slice(0, 2)).toEqual([
    'Never allow tools named *drop* of any server',
    'Allow every tool of demo',
  ])
  expect(sentences()[2]).toMatch(/ask first for\s+everything else/)
})

it('moves a rule, and the focus with it', async () => {
  const { sent } = policies()
  await waitFor(() => button('Move rule 2 up'))
  button('Move rule 2 up').focus()
  await fireEvent.click(button('Move rule 2 up'))
  await waitFor(() => expect(sentences()[0]).toBe('Allow every tool of demo'))
  expect(sent).toEqual([{ method: 'PUT', url: '/api/policies/order', body: { ids: ['b', 'a'] } }])
  await waitFor(() => expect(document.activeElement).toBe(button('Move rule 1 down')))
  expect(screen.getByText('It is rule 1 now.')).toBeTruthy()
})

it('adds a rule, and warns of one that lets everything through', async () => {
  const { sent } = policies()
  await waitFor(() => button('Add a rule'))
  await fireEvent.click(button('Add a rule'))
  const form = within(screen.getByRole('form', { name: 'New rule' }))
  await fireEvent.click(form.getByRole('button', { name: 'Allow' }))
  expect(form.getByText('This lets everything run without asking.')).toBeTruthy()
  await fireEvent.input(form.getByLabelText('Tool'), { target: { value: 'read_*' } })
  expect(form.queryByText('This lets everything run without asking.')).toBeNull()
  expect(form.getByText('tools named', { exact: false })).toBeTruthy()
  await fireEvent.click(form.getByRole('button', { name: 'Save rule' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    ...{ method: 'POST', url: '/api/policies' },
    body: { action: 'allow', tool: 'read_*', position: 0 },
  })
})

it('tries a call, and points out the rule that decides', async () => {
  const { sent } = policies({ action: 'deny', reason: 'the first rule that fits', rule: rules[0] as never })
  await waitFor(() => expect(sentences()).toHaveLength(3))
  await fireEvent.click(button('Try it'))
  expect(screen.getByText('Choose a tool.')).toBeTruthy()
  const [name, args] = ['mcp__demo__drop_all', '{"n": 9007199254740993}']
  await fireEvent.input(screen.getByLabelText(/^Tool/), { target: { value: name } })
  await fireEvent.input(screen.getByLabelText('Arguments'), { target: { value: '[1]' } })
  await fireEvent.click(button('Try it'))
  expect(screen.getByText(/Write a JSON object/)).toBeTruthy()
  expect(sent).toEqual([])
  await fireEvent.input(screen.getByLabelText('Arguments'), { target: { value: args } })
  await fireEvent.click(button('Try it'))
  await waitFor(() => expect(screen.getByText('It would be denied.')).toBeTruthy())
  expect(screen.getByText(/Rule 1 decides\./)).toBeTruthy()
  expect(document.querySelector('.policy.hit')?.textContent).toContain('*drop*')
  expect(sent[0]?.body).toMatchObject({ name, asker: 'agent' })
})

it('lists what was decided, with its arguments', async () => {
  policies(undefined, [entry])
  await waitFor(() => expect(screen.getByText('rejected')).toBeTruthy())
  expect(screen.getByText('for agent “Backup”, by you')).toBeTruthy()
  const row = document.querySelector<HTMLDetailsElement>('details.entry')
  if (row) row.open = true
  await waitFor(() => expect(screen.getByText('space')).toBeTruthy())
  expect(screen.getByText('Note: “no”')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open the call' }).getAttribute('href')).toBe('/activity/c1')
})
