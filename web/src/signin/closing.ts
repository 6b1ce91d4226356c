/** How long the tab stays, in seconds: to see as whom it worked. */
const stays = 5
/** How long a browser may take to close it, in milliseconds. */
const closes = 1000

/** What the page has for it: three texts of which one shows, a number in one, a button. */
type Part = 'open' | 'soon' | 'refused' | 'left' | 'keep'

/**
 * Closes the tab soon, and says so in the parts that the page has for it
 * (templates/signin.templ). Whoever uses the page keeps it. A browser closes only tabs
 * that a page has opened; where it doesn't, that is said.
 */
export function closeSoon(page: Document, close: () => void): void {
  const part = (name: Part) => page.querySelector<HTMLElement>(`[data-closing="${name}"]`)
  const button = part('keep')
  const show = (shown: 'open' | 'soon' | 'refused') => {
    for (const name of ['open', 'soon', 'refused'] as const)
      part(name)?.toggleAttribute('hidden', name !== shown)
    button?.toggleAttribute('hidden', shown !== 'soon')
  }
  const using = new AbortController()
  const { signal } = using
  let left = stays
  const timer = setInterval(() => {
    left -= 1
    part('left')?.replaceChildren(String(left))
    if (left > 0) return
    stop()
    close()
    setTimeout(() => show('refused'), closes)
  }, 1000)

  function stop() {
    clearInterval(timer)
    using.abort()
  }
  function keep() {
    stop()
    show('open')
  }
  function use(event: KeyboardEvent | PointerEvent) {
    // Ctrl and the like belong to the browser: who goes to another tab doesn't use this one.
    if (event.target === button || event.ctrlKey || event.metaKey || event.altKey) return
    keep()
  }

  page.addEventListener('keydown', use, { signal })
  page.addEventListener('pointerdown', use, { signal })
  button?.addEventListener(
    'click',
    () => {
      keep()
      button.parentElement?.querySelector('a')?.focus()
    },
    { signal },
  )
  show('soon')
}
