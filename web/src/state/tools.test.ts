import { expect, it, vi } from 'vitest'
import { ApiError, type Api } from '../lib/api'
import type { EventOf, Tool } from '../lib/wire'
import type { Live } from '../shell/live.svelte'
import { aTool } from '../tools/fixture'
import { ToolsState } from './tools.svelte'

it('lists tools in the order of their titles, also those that are read again', async () => {
  let changed: (event: EventOf<'catalogue_changed'>) => void = () => undefined
  const on = (type: string, listener: typeof changed) => {
    if (type === 'catalogue_changed') changed = listener
    return () => undefined
  }
  const get = vi
    .fn()
    .mockResolvedValueOnce({
      items: [
        aTool({ tool: 'b', title: 'Zeta' }),
        aTool({ tool: 'confirm' }),
        aTool({ server: 'pg', tool: 'x', title: 'Answer' }),
      ],
    })
    .mockResolvedValueOnce({ items: [aTool({ tool: 'new', title: 'Beta' }), aTool({ tool: 'add' })] })
  const tools = new ToolsState({ get } as unknown as Api, { on, onResync: on } as unknown as Live)
  const names = () => tools.list?.map(({ tool }) => tool)
  await tools.load()
  expect(names()).toEqual(['x', 'confirm', 'b'])
  changed({ server: 'demo' } as EventOf<'catalogue_changed'>)
  await vi.waitFor(() => expect(names()).toEqual(['add', 'x', 'new']))
})

it('ends with what was read last, however fast the news comes', async () => {
  let changed: (event: EventOf<'catalogue_changed'>) => void = () => undefined
  const on = (type: string, listener: typeof changed) => {
    if (type === 'catalogue_changed') changed = listener
    return () => undefined
  }
  const answers: ((page: { items: Tool[] }) => void)[] = []
  const get = vi.fn(() => new Promise((resolve) => answers.push(resolve)))
  const tools = new ToolsState({ get } as unknown as Api, { on, onResync: on } as unknown as Live)
  const loading = tools.load()
  answers[0]?.({ items: [] })
  await loading
  const news = { server: 'demo' } as EventOf<'catalogue_changed'>
  for (let i = 0; i < 3; i++) changed(news)
  expect(get).toHaveBeenCalledTimes(2)
  answers[1]?.({ items: [aTool({ tool: 'old' })] })
  await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(3))
  answers[2]?.({ items: [aTool({ tool: 'new' })] })
  await vi.waitFor(() => expect(tools.list?.map(({ tool }) => tool)).toEqual(['new']))
  changed(news)
  expect(get).toHaveBeenCalledTimes(4)
})

it('accepts every change that can be, and says which can’t', async () => {
  const change = { old: {}, new: {}, at: '2026-11-30T09:00:00.000Z' }
  const [a, b, c] = ['a', 'b', 'c'].map((tool) => aTool({ tool, changed: change })) as [Tool, Tool, Tool]
  const again = { ...b, changed: { ...change, at: '2026-11-30T10:00:00.000Z' } }
  const get = vi
    .fn()
    .mockResolvedValueOnce({ items: [a, b, c] })
    .mockResolvedValue({ items: [aTool({ tool: 'a' }), again, aTool({ tool: 'c' })] })
  const conflict = new ApiError({ code: 'conflict', detail: 'it changed again' })
  const post = vi.fn((_: string, { body }: { body: { name: string; at: string } }) =>
    body.name === b.name ? Promise.reject(conflict) : Promise.resolve(aTool({ tool: body.name.slice(-1) })),
  )
  const on = () => () => undefined
  const tools = new ToolsState({ get, post } as unknown as Api, { on, onResync: on } as unknown as Live)
  await tools.load()
  const refused = await tools.acceptAll([a, b, c].map((tool) => ({ tool, at: change.at })))
  expect(refused).toEqual([{ tool: b, at: change.at, error: conflict }])
  expect(post).toHaveBeenCalledTimes(3)
  const changed = () => tools.list?.map((tool) => tool.changed?.at)
  await vi.waitFor(() => expect(changed()).toEqual([undefined, again.changed.at, undefined]))
})
