import { expect, it, vi } from 'vitest'
import type { Api } from '../lib/api'
import type { Server, ServerConfig } from '../lib/wire'
import { serverOf } from '../servers/fixture'
import type { Live } from '../shell/live.svelte'
import { ServersState } from './servers.svelte'

const quiet = { on: () => () => undefined, onResync: () => () => undefined } as unknown as Live

it('switches tools one after the other, each on top of the last', async () => {
  const sent: (string[] | undefined)[] = []
  const put = vi.fn((_: string, { body }: { body: ServerConfig }) => {
    sent.push(body.disabled_tools)
    return Promise.resolve(serverOf({ disabled_tools: body.disabled_tools ?? [] }))
  })
  const servers = new ServersState({ put } as unknown as Api, quiet)
  servers.put(serverOf())
  await Promise.all([servers.setTool('demo', 'a', false), servers.setTool('demo', 'b', false)])
  expect(sent).toEqual([['a'], ['a', 'b']])
})

it('goes on after a switch that failed', async () => {
  const put = vi
    .fn<() => Promise<Server>>()
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValue(serverOf({ disabled_tools: ['b'] }))
  const servers = new ServersState({ put } as unknown as Api, quiet)
  servers.put(serverOf())
  const first = servers.setTool('demo', 'a', false)
  const second = servers.setTool('demo', 'b', false)
  await expect(first).rejects.toThrow('no')
  await second
  expect(servers.get('demo')?.disabled_tools).toEqual(['b'])
})

it('keeps what is typed until it is dropped or its server is gone', () => {
  const servers = new ServersState({} as Api, quiet)
  const demo = serverOf()
  servers.put(demo)
  servers.form().draft.command = 'npx'
  const form = servers.form(demo)
  expect(servers.form().draft.command).toBe('npx')
  expect(servers.form(demo)).toBe(form)
  servers.dropForm('')
  servers.remove('demo')
  expect(servers.form().draft.command).toBe('')
  expect(servers.form(demo)).not.toBe(form)
})
