import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../lib/api'
import type { Server, ServerConfig } from '../lib/wire'
import { serverOf } from './fixture'
import { ServerForm, type ServerStore } from './form.svelte'

const stage = { stage: 'tcp' as const, ok: false, ms: 3, message: 'nothing listens' }

function storeOf(servers: Server[], answer: (config: ServerConfig) => Promise<Server>) {
  return {
    list: servers,
    get: (name: string) => servers.find((server) => server.name === name),
    add: vi.fn<ServerStore['add']>((config) => answer(config)),
    replace: vi.fn<ServerStore['replace']>((_, config) => answer(config)),
    dropForm: vi.fn(),
    test: vi.fn<ServerStore['test']>(() => Promise.resolve({ ok: true, stages: [{ ...stage, ok: true }] })),
    read: vi.fn<ServerStore['read']>(() => Promise.reject(new Error('not read'))),
  }
}

const saved = (config: ServerConfig) => Promise.resolve(serverOf({ name: config.name ?? '' }))
const refused = (problem: ConstructorParameters<typeof ApiError>[0]) => () =>
  Promise.reject(new ApiError(problem))

describe('a new server', () => {
  it('is saved under the suggested name, and what was typed is thrown away', async () => {
    const store = storeOf([serverOf({ name: 'paper' })], saved)
    const form = new ServerForm(store)
    Object.assign(form.draft, { command: 'npx', args: 'paper-mcp' })
    expect((await form.add({ verify: true }))?.name).toBe('paper-2')
    expect(store.add.mock.calls[0]?.[1].verify).toBe(true)
    expect(store.dropForm).toHaveBeenCalledWith('')
  })

  it('is not sent while a field is wrong, and then says which', async () => {
    const store = storeOf([], saved)
    const form = new ServerForm(store)
    expect(form.problems).toEqual({})
    expect(await form.add({ verify: true })).toBeNull()
    expect(Object.keys(form.problems).sort()).toEqual(['command', 'name'])
    expect(store.add).not.toHaveBeenCalled()
    form.draft.command = 'demo-mcp'
    expect(form.problems).toEqual({})
  })

  it('keeps the draft when it could not be started, and can be saved all the same', async () => {
    const store = storeOf([], refused({ code: 'invalid', detail: 'nothing listens', stages: [stage] }))
    const form = new ServerForm(store)
    Object.assign(form.draft, { transport: 'http', url: 'https://x.example/mcp' })
    expect(await form.add({ verify: true })).toBeNull()
    expect(form.refusal).toEqual({ message: 'Nothing listens.', canSaveAnyway: true })
    expect(form.trial).toEqual({ ok: false, stages: [stage] })
    expect([form.tested, form.works]).toEqual([true, false])
    expect(form.draft.url).toBe('https://x.example/mcp')
    expect(store.dropForm).not.toHaveBeenCalled()
    expect(form.savingSince).toBe(0)
  })

  it.each([
    ['conflict', 'there is a server named x', 'name'],
    ['invalid', 'url has no host', 'url'],
  ])('shows %s at its field', async (code, detail, field) => {
    const form = new ServerForm(storeOf([], refused({ code, detail })))
    Object.assign(form.draft, { transport: 'http', url: 'https://x.example/mcp' })
    await form.add({ verify: true })
    expect(Object.keys(form.problems)).toEqual([field])
    expect(form.refusal?.canSaveAnyway).toBe(false)
  })

  it('says nothing when the person stopped it', async () => {
    const store = storeOf([], saved)
    store.add.mockImplementation(
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    )
    const form = new ServerForm(store)
    form.draft.command = 'demo-mcp'
    const saving = form.add({ verify: true })
    expect(form.savingSince).toBeGreaterThan(0)
    form.cancel()
    expect(await saving).toBeNull()
    expect(form.refusal).toBeNull()
  })
})

it('lets stored secrets go along to the address that was agreed to, and to no other', async () => {
  const mine = serverOf({ name: 'mine', transport: 'http', url: 'https://a.example/mcp' })
  const moves = {
    code: 'secrets_move',
    detail: 'no',
    errors: [{ location: 'body.bearer_token', message: 'stored for another address' }],
  }
  const store = storeOf([mine], refused(moves))
  const form = new ServerForm(store, mine)
  form.draft.url = 'https://b.example/mcp'
  await form.replace({ force: false })
  expect(form.refusal?.storedFor).toBe('https://a.example/mcp')
  expect(form.problems.bearer).toBe('Stored for another address.')
  form.sendStored = true
  await form.replace({ force: false })
  form.draft.url = 'https://c.example/mcp'
  await form.replace({ force: false })
  expect(store.replace.mock.calls.map(([, , how]) => how.sendStored)).toEqual([false, true, false])
})

describe('a test', () => {
  it('is kept until the draft changes', async () => {
    const form = new ServerForm(storeOf([], saved))
    await form.test()
    expect(form.trial).toBeNull()
    form.draft.command = 'demo-mcp'
    await form.test()
    expect([form.tested, form.works, form.savingSince]).toEqual([true, true, 0])
    form.draft.command = 'another'
    expect([form.tested, form.works]).toEqual([false, false])
    expect(form.trial).not.toBeNull()
  })

  it.each([
    ['needs_sign_in', true],
    ['exited', false],
  ])('that ends with %s can be kept: %s', async (code, works) => {
    const store = storeOf([], saved)
    store.test.mockResolvedValue({ ok: false, stages: [{ ...stage, code }] })
    const form = new ServerForm(store)
    form.draft.command = 'demo-mcp'
    await form.test()
    expect(form.works).toBe(works)
  })
})

describe('what is pasted', () => {
  const found = (...servers: ServerConfig[]) => ({ format: 'vscode', servers, warnings: [], skipped: [] })
  const paper: ServerConfig = {
    name: 'paper',
    transport: 'stdio',
    command: 'uvx',
    args: ['p'],
    env: { T: 's3cret' },
  }

  it('fills the form with the one server in it, under a free name', async () => {
    const store = storeOf([serverOf({ name: 'paper' })], saved)
    store.read.mockResolvedValue(found({ ...paper, enabled_tools: ['a'], delivery: 'inject_summary' }))
    const form = new ServerForm(store)
    form.pasted = '"paper": {}'
    await form.read()
    expect(form.draft).toMatchObject({ name: 'paper-2', command: 'uvx', args: 'p' })
    expect(form.draft.env).toMatchObject([{ name: 'T', text: 's3cret', plain: false, stored: false }])
    await form.add({ verify: false })
    expect(store.add.mock.calls[0]?.[0]).toMatchObject({ enabled_tools: ['a'], delivery: 'inject_summary' })
  })

  it('lets one choose among several', async () => {
    const store = storeOf([], saved)
    store.read.mockResolvedValue(found(paper, { transport: 'http', url: 'https://mcp.notion.com/mcp' }))
    const form = new ServerForm(store)
    form.pasted = '{}'
    await form.read()
    expect(form.choices.map(({ name }) => name)).toEqual(['paper', 'notion'])
    expect(form.draft.command).toBe('')
    if (form.choices[1]) form.take(form.choices[1])
    expect(form.draft).toMatchObject({ name: 'notion', transport: 'http', url: 'https://mcp.notion.com/mcp' })
  })

  it('says why it can’t be read, and nothing of an empty text', async () => {
    const form = new ServerForm(storeOf([], saved))
    form.pasted = 'a | b'
    await form.read()
    expect(form.unread).toBe('Not read.')
    form.pasted = ' '
    await form.read()
    expect(form.unread).toBe('')
  })
})

describe('a server that is there', () => {
  const before = serverOf({ env: { KEY: { set: true } } })

  it('is replaced with what was typed; its secrets stay', async () => {
    const store = storeOf([before], saved)
    const form = new ServerForm(store, before)
    expect(form.dirty).toBe(false)
    form.draft.friendlyName = 'Demo'
    expect(form.dirty).toBe(true)
    await form.replace({ force: true })
    const [name, config, options] = store.replace.mock.calls[0] ?? []
    expect([name, options]).toEqual(['demo', { force: true, sendStored: false }])
    expect(config).toMatchObject({ friendly_name: 'Demo', env: { KEY: { set: true } } })
  })

  it('goes on from what was saved, which is no change from elsewhere', async () => {
    const servers = [before]
    const store = storeOf(servers, ({ description }) => {
      const stored = { ...before, description: description ?? '', updated_at: '2026-12-01T00:00:00.000Z' }
      servers[0] = stored
      return Promise.resolve(stored)
    })
    const form = new ServerForm(store, before)
    for (const description of ['One', 'Two']) {
      form.draft.description = description
      await form.replace({ force: false })
      expect([form.dirty, form.outdated, form.tried]).toEqual([false, false, false])
      expect(form.draft.description).toBe(description)
    }
  })

  it('tells that it was changed elsewhere', () => {
    const servers = [before]
    const form = new ServerForm(storeOf(servers, saved), before)
    expect(form.outdated).toBe(false)
    servers[0] = { ...before, updated_at: '2026-12-01T00:00:00.000Z' }
    expect(form.outdated).toBe(true)
    form.reset(servers[0])
    expect(form.outdated).toBe(false)
  })
})
