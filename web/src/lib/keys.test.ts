import { beforeEach, expect, it, vi } from 'vitest'
import { Keys } from './keys'

let keys: Keys

function press(key: string, init: KeyboardEventInit & { at?: number; target?: Element } = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  Object.defineProperty(event, 'timeStamp', { value: init.at ?? 0 })
  const target = init.target ?? document.body
  let handled = false
  target.addEventListener('keydown', (e) => (handled = keys.handle(e as KeyboardEvent)), { once: true })
  target.dispatchEvent(event)
  return handled
}

beforeEach(() => {
  keys = new Keys()
  document.body.innerHTML =
    '<input id="text"><input id="box" type="checkbox"><div role="dialog"><button id="in">x</button></div>'
})

it('runs keys and sequences', () => {
  const j = vi.fn()
  const inbox = vi.fn()
  keys.use({ j, 'g i': inbox })
  expect(press('j')).toBe(true)
  expect(press('g', { at: 100 })).toBe(false)
  expect(press('i', { at: 200 })).toBe(true)
  expect(j).toHaveBeenCalledOnce()
  expect(inbox).toHaveBeenCalledOnce()
})

it('forgets the first key of a sequence after a while or another key', () => {
  const inbox = vi.fn()
  keys.use({ 'g i': inbox })
  press('g', { at: 0 })
  press('i', { at: 1_600 })
  press('g', { at: 2_000 })
  press('x', { at: 2_100 })
  press('i', { at: 2_200 })
  expect(inbox).not.toHaveBeenCalled()
})

it('prefers the sequence to the single key', () => {
  const accept = vi.fn()
  const activity = vi.fn()
  keys.use({ a: accept, 'g a': activity })
  press('g', { at: 0 })
  press('a', { at: 100 })
  expect(activity).toHaveBeenCalledOnce()
  expect(accept).not.toHaveBeenCalled()
})

it('does nothing while someone types or a dialog is open, but for Ctrl and Cmd', () => {
  const a = vi.fn()
  const palette = vi.fn()
  keys.use({ a, 'mod+k': palette })
  const text = document.querySelector('#text') ?? undefined
  press('a', { target: text })
  press('a', { target: document.querySelector('#in') ?? undefined })
  press('a', { ctrlKey: true })
  press('a', { altKey: true })
  expect(a).not.toHaveBeenCalled()
  press('a', { target: document.querySelector('#box') ?? undefined })
  expect(a).toHaveBeenCalledOnce()
  press('k', { target: text, ctrlKey: true })
  press('k', { metaKey: true })
  expect(palette).toHaveBeenCalledTimes(2)
})

it('takes a key that is held down for one press', () => {
  const a = vi.fn()
  keys.use({ a })
  press('a')
  press('a', { repeat: true })
  expect(a).toHaveBeenCalledOnce()
})

it('lets the latest layer win until it is removed', () => {
  const below = vi.fn()
  const above = vi.fn()
  keys.use({ j: below })
  const remove = keys.use({ j: above })
  press('j')
  remove()
  press('j')
  expect(above).toHaveBeenCalledOnce()
  expect(below).toHaveBeenCalledOnce()
})
