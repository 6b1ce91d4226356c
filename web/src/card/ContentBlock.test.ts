import { render, screen } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import type { Content } from '../lib/wire'
import ContentBlock from './ContentBlock.svelte'

it.each<[string, Content]>([
  ['an answer', { kind: 'text', text: '# Notes\n\n**Two** things' }],
  ['a file', { kind: 'resource', uri: 'n://1', mime_type: 'text/markdown', text: '# Notes' }],
])('shows Markdown formatted first: %s', (_, block) => {
  render(ContentBlock, { block, server: 'demo' })
  expect(screen.getByRole('button', { name: 'Formatted', pressed: true })).toBeTruthy()
})
