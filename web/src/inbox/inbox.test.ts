import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Api } from '../lib/api'
import type { Elicitation, Item } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { InboxState, lineTime } from './inbox.svelte'
import { elicitation, empty, FakeLive } from './testing'

function setUp(items: Elicitation[] = []) {
  const live = new FakeLive()
  const answers: { status: number; body: unknown }[] = []
  const fetch = vi.fn<typeof globalThis.fetch>(() => {
    const { status, body } = answers.shift() ?? { status: 200, body: { ...empty, elicitations: items } }
    return Promise.resolve(new Response(JSON.stringify(body), { status }))
  })
  const inbox = new InboxState(new Api({ signedOut: vi.fn(), fetch }), live as unknown as Live)
  return { inbox, live, fetch, answers }
}

const ids = (inbox: InboxState) => inbox.items?.map(({ id }) => id)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('InboxState', () => {
  it('reads everything when told to, oldest first', async () => {
    const { inbox, live } = setUp([elicitation('bb'), elicitation('a')])
    expect(inbox.items).toBeNull()
    live.resync()
    await vi.waitFor(() => expect(ids(inbox)).toEqual(['a', 'bb']))
    expect(inbox.count).toBe(2)
  })

  it('takes in what arrives, once, and lets a line stay for what was answered elsewhere', async () => {
    const { inbox, live } = setUp()
    await inbox.load()
    live.add(elicitation('a'))
    live.add(elicitation('a'))
    expect(ids(inbox)).toEqual(['a'])
    expect(inbox.latest?.id).toBe('a')
    live.settle('a')
    expect(ids(inbox)).toEqual([])
    expect(inbox.answered).toMatchObject([{ item: { id: 'a' }, mine: false }])
    vi.advanceTimersByTime(lineTime)
    expect(inbox.answered).toEqual([])
  })

  it('loses nothing that arrives or is settled while it is being read', async () => {
    const { inbox, live } = setUp([elicitation('a')])
    const reading = inbox.load()
    live.add(elicitation('bb'))
    live.settle('a')
    await reading
    expect(ids(inbox)).toEqual(['bb'])
    expect(inbox.answered).toMatchObject([{ item: { id: 'a' } }])
  })

  it('keeps each draft with its item, and forgets it with the item', async () => {
    const { inbox, live } = setUp([elicitation('a'), elicitation('bb')])
    await inbox.load()
    const schema = { properties: { name: { type: 'string' } } }
    const draft = inbox.draft('a', schema)
    expect(inbox.draft('a', schema)).toBe(draft)
    expect(inbox.draft('bb', schema)).not.toBe(draft)
    live.settle('a')
    expect(inbox.draft('a', schema)).not.toBe(draft)
  })

  it('knows its own answer from the event that comes before the response', async () => {
    const { inbox, live, answers, fetch } = setUp([elicitation('a')])
    await inbox.load()
    answers.push({ status: 200, body: { id: 'a', action: 'accept', by: 'you', at: '' } })
    const sent = inbox.resolve(elicitation('a'), 'accept', { ok: true })
    expect(inbox.sending.has('a')).toBe(true)
    live.settle('a')
    await sent
    expect(fetch.mock.calls[1]?.[0]).toBe('/api/inbox/elicitations/a/resolve')
    expect(fetch.mock.calls[1]?.[1]?.body).toBe('{"action":"accept","content":{"ok":true}}')
    expect(inbox.answered).toMatchObject([{ mine: true }])
    expect(inbox.sending.size).toBe(0)
  })

  it('takes a lost race for answered elsewhere, not for an error', async () => {
    const { inbox, live, answers } = setUp([elicitation('a')])
    await inbox.load()
    const resolution = { id: 'a', action: 'decline', by: 'you', at: '' }
    answers.push({ status: 409, body: { code: 'gone', detail: 'Answered.', resolution } })
    const sent = inbox.resolve(elicitation('a'), 'accept', {})
    live.settle('a', 'you', 'decline')
    await sent
    expect(ids(inbox)).toEqual([])
    expect(inbox.answered).toMatchObject([{ resolution: { action: 'decline' }, mine: false }])
  })

  it('keeps the item and the draft when the answer did not arrive', async () => {
    const { inbox, answers } = setUp([elicitation('a')])
    await inbox.load()
    const draft = inbox.draft('a', {})
    answers.push({ status: 422, body: { code: 'invalid', detail: 'Not like this.' } })
    await expect(inbox.resolve(elicitation('a'), 'accept', {})).rejects.toThrow('Not like this.')
    expect(ids(inbox)).toEqual(['a'])
    expect(inbox.draft('a', {})).toBe(draft)
    expect(inbox.sending.size).toBe(0)
  })

  it('finds the items of a call, and of one of several candidates', async () => {
    const { inbox } = setUp([elicitation('a'), elicitation('bb', { call_id: null, call_ids: ['x', 'y'] })])
    await inbox.load()
    expect(inbox.ofCall('call-a').map(({ id }) => id)).toEqual(['a'])
    expect(inbox.ofCall('y').map(({ id }) => id)).toEqual(['bb'])
  })

  it('counts only what needs the person', async () => {
    const { inbox, live } = setUp([elicitation('a')])
    await inbox.load()
    live.add({ ...elicitation('note'), kind: 'notification' } as unknown as Item)
    expect(inbox.count).toBe(1)
  })

  it('says why it could not be read, and recovers', async () => {
    const { inbox, answers } = setUp([elicitation('a')])
    answers.push({ status: 507, body: { code: 'storage', detail: 'The disk is full.' } })
    await inbox.load()
    expect(inbox.error).toMatchObject({ message: 'The disk is full.' })
    await inbox.load()
    expect(inbox.error).toBeNull()
  })

  it('keeps the words typed for an item until it is gone, and no longer', async () => {
    const { inbox, live } = setUp([elicitation('a'), elicitation('bb')])
    await inbox.load()
    inbox.words('a').text = 'half an answer'
    await inbox.load()
    expect(inbox.words('a').text).toBe('half an answer')
    expect(inbox.words('bb').text).toBe('')
    live.settle('a')
    expect(inbox.words('a').text).toBe('')
  })
})
