// Where a reader is among the messages: at one of them, so many pixels below the top edge.
// The step of the browser's history keeps it, so that who comes back finds it again.

export interface Place {
  /** Its id; "" is before the first. */
  message: string
  below: number
}

/** The very beginning. */
export const beginning: Place = { message: '', below: 0 }

/** What is drawn of the messages, by their ids. Each stands in a box that has none of its own. */
function* drawn(scroller: HTMLElement): Generator<{ id: string; top: number; bottom: number }> {
  const { top } = scroller.getBoundingClientRect()
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-message]')) {
    const [first, last] = [row.firstElementChild, row.lastElementChild]
    if (!first || !last) continue
    yield {
      id: row.dataset['message'] ?? '',
      top: first.getBoundingClientRect().top - top,
      bottom: last.getBoundingClientRect().bottom - top,
    }
  }
}

/** The place of the first message that is in sight. */
export function placeIn(scroller: HTMLElement): Place | null {
  for (const { id, top, bottom } of drawn(scroller)) if (bottom > 0) return { message: id, below: top }
  return null
}

/** How far a place is from where it was; null while its message isn't drawn. */
export function offBy(scroller: HTMLElement, { message, below }: Place): number | null {
  // One that is gone leaves its place to the next.
  for (const { id, top } of drawn(scroller)) if (id >= message) return top - below
  return null
}

/** Keeps a place with the page that is open; null forgets it. */
export function keepPlace(place: Place | null): void {
  history.replaceState({ ...(history.state as object | null), place }, '')
}

export function keptPlace(): Place | null {
  return (history.state as { place?: Place | null } | null)?.place ?? null
}
