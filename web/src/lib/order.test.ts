import { expect, it } from 'vitest'
import { byName, byTitle } from './order'

it('orders as a person reads, not as a machine does', () => {
  expect(['Zeta', 'alpha', 'Item 10', 'Ábel', 'item 9'].sort(byName)).toEqual([
    'Ábel',
    'alpha',
    'item 9',
    'Item 10',
    'Zeta',
  ])
})

it('orders tools by title, by their own name without one, and never by chance', () => {
  const tool = (name: string, title = '') => ({ name: `mcp__demo__${name}`, tool: name, title })
  const tools = [tool('b', 'Same'), tool('zero', 'Answer'), tool('confirm'), tool('a', 'Same')]
  expect(tools.sort(byTitle).map(({ tool }) => tool)).toEqual(['zero', 'confirm', 'a', 'b'])
})
