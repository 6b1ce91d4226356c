import { expect, it, vi } from 'vitest'
import type { Api } from '../lib/api'
import type { EventOf } from '../lib/wire'
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
