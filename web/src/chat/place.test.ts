import { beforeEach, expect, it } from 'vitest'
import { beginning, keepPlace, keptPlace, offBy, placeIn } from './place'

/** A box of 400 pixels, scrolled so far, with messages that are 100 pixels high each. */
function box(scrolled: number, ...ids: string[]): HTMLElement {
  const at = (top: number, height: number) => () => ({ top, bottom: top + height }) as DOMRect
  const scroller = document.createElement('div')
  scroller.getBoundingClientRect = at(50, 400)
  ids.forEach((id, i) => {
    const row = document.createElement('div')
    row.dataset['message'] = id
    const body = document.createElement('p')
    body.getBoundingClientRect = at(50 + i * 100 - scrolled, 100)
    row.append(body)
    scroller.append(row)
  })
  return scroller
}

beforeEach(() => history.replaceState(null, ''))

it('is that of the first message in sight', () => {
  expect(placeIn(box(0, 'a', 'b', 'c'))).toEqual({ message: 'a', below: 0 })
  expect(placeIn(box(130, 'a', 'b', 'c'))).toEqual({ message: 'b', below: -30 })
  expect(placeIn(box(0))).toBeNull()
})

it('leaves out what draws nothing', () => {
  const scroller = box(0, 'a', 'b')
  scroller.firstElementChild?.replaceChildren()
  expect(placeIn(scroller)).toEqual({ message: 'b', below: 100 })
})

it('is found again, whatever came before it', () => {
  expect(offBy(box(130, 'a', 'b', 'c'), { message: 'b', below: -30 })).toBe(0)
  expect(offBy(box(130, '0', 'a', 'b', 'c'), { message: 'b', below: -30 })).toBe(100)
})

it('passes to the next message when its own is gone', () => {
  expect(offBy(box(0, 'a', 'c'), { message: 'b', below: 20 })).toBe(80)
  expect(offBy(box(0, 'a'), { message: 'b', below: 20 })).toBeNull()
  expect(offBy(box(30, 'a', 'b'), beginning)).toBe(-30)
})

it('is kept with the page beside whatever else is, and forgotten', () => {
  expect(keptPlace()).toBeNull()
  history.replaceState({ other: 1 }, '')
  keepPlace({ message: 'b', below: -30 })
  expect(keptPlace()).toEqual({ message: 'b', below: -30 })
  expect(history.state).toMatchObject({ other: 1 })
  keepPlace(null)
  expect(keptPlace()).toBeNull()
})
