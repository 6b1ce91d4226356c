/** What a person does who wants the page to stay where it is. */
const touches = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Scrolls to an element, as little as shows it whole, and again as it grows: until
 * the person does anything. What is returned ends it.
 */
export function keepInSight(element: HTMLElement): () => void {
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
  const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'nearest', behavior }))
  observer.observe(element)
  const stop = () => {
    observer.disconnect()
    for (const type of touches) removeEventListener(type, stop, true)
  }
  for (const type of touches) addEventListener(type, stop, { capture: true, passive: true })
  return stop
}
