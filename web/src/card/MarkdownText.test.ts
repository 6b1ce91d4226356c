// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import MarkdownText from './MarkdownText.svelte'

it('copies a code block, also one that grew', async () => {
  const writeText = vi.fn().mockResolvedValue(undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn()
      disconnect = vi.fn()
    },
  )
  const { rerender } = render(MarkdownText, { text: '```go\nx := 1' })
  await rerender({ text: '```go\nx := 1\ny := 2\n```\n\nThat is all.' })
  await fireEvent.click(screen.getByRole('button', { name: 'Copy the code' }))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('x := 1\ny := 2')
})
