import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeSoon } from './closing'

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = `<p>
    <i data-closing="open">open</i><i data-closing="soon" hidden>soon <b data-closing="left">5</b></i>
    <i data-closing="refused" hidden>refused</i></p>
    <div><button data-closing="keep" hidden>keep</button><a href="#x">link</a></div>`
})
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

const shown = () =>
  [...document.querySelectorAll('[data-closing]:not([hidden])')].map((part) => part.textContent)
const keep = () => document.querySelector('button') ?? document.createElement('button')

it('counts, closes, and says so where the browser does not', () => {
  const close = vi.fn()
  closeSoon(document, close)
  expect(shown()).toEqual(['soon 5', '5', 'keep'])
  vi.advanceTimersByTime(4999)
  expect(shown()).toEqual(['soon 1', '1', 'keep'])
  expect(close).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(close).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1000)
  expect(shown()).toEqual(['0', 'refused'])
  vi.advanceTimersByTime(60_000)
  expect(close).toHaveBeenCalledOnce()
})

it.each<[string, () => void, boolean]>([
  ['the button', () => keep().click(), true],
  [
    'a key',
    () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true })),
    true,
  ],
  ['a press', () => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })), true],
  [
    'a key of the browser’s',
    () =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Control', ctrlKey: true, bubbles: true }),
      ),
    false,
  ],
  [
    'a press on the button alone',
    () => keep().dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })),
    false,
  ],
])('%s keeps it: %#', (_, use, kept) => {
  const close = vi.fn()
  closeSoon(document, close)
  vi.advanceTimersByTime(2000)
  use()
  vi.advanceTimersByTime(60_000)
  expect(close).toHaveBeenCalledTimes(kept ? 0 : 1)
  if (kept) expect(shown()).toEqual(['open', '3'])
})

it('leaves the focus on what follows the button', () => {
  closeSoon(document, vi.fn())
  keep().focus()
  keep().click()
  expect(document.activeElement?.textContent).toBe('link')
})
