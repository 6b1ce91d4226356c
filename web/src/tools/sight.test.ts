import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepInSight } from './sight'

let grow: () => void
let reduced: boolean

beforeEach(() => {
  reduced = false
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      #over = false
      constructor(told: () => void) {
        grow = () => {
          if (!this.#over) told()
        }
      }
      observe() {
        grow()
      }
      disconnect() {
        this.#over = true
      }
    },
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function follow() {
  const element = document.createElement('div')
  const scroll = vi.spyOn(element, 'scrollIntoView').mockReturnValue()
  return { scroll, stop: keepInSight(element) }
}

it('scrolls to what grows until the person does something', () => {
  const { scroll, stop } = follow()
  expect(scroll).toHaveBeenLastCalledWith({ block: 'nearest', behavior: 'smooth' })
  grow()
  expect(scroll).toHaveBeenCalledTimes(2)
  dispatchEvent(new Event('wheel'))
  grow()
  expect(scroll).toHaveBeenCalledTimes(2)
  stop()
})

it('jumps where motion is to be reduced, and stops when told to', () => {
  reduced = true
  const { scroll, stop } = follow()
  expect(scroll).toHaveBeenLastCalledWith({ block: 'nearest', behavior: 'instant' })
  stop()
  grow()
  expect(scroll).toHaveBeenCalledOnce()
})
