import { href, parseRoute, type Route } from '../lib/route'

/** Where the tab is. Plain links work: clicks on addresses of the SPA stay in it. */
export class Router {
  route = $state.raw<Route>(parseRoute(location.pathname) ?? { page: 'inbox' })
  /** Query and fragment of the address: filters and tabs. */
  query = $state.raw(new URLSearchParams(location.search))
  hash = $state(location.hash.slice(1))

  /** Goes to a route or path. `replace` leaves no step to go back to. */
  go(to: Route | string, { replace = false } = {}): void {
    const url = new URL(typeof to === 'string' ? to : href(to), location.href)
    if (parseRoute(url.pathname) === null) {
      location.assign(url)
      return
    }
    if (url.href !== location.href) history[replace ? 'replaceState' : 'pushState'](null, '', url)
    this.#read()
  }

  /** Changes the query alone; empty values are left out. */
  setQuery(values: Record<string, string>, { replace = true } = {}): void {
    const url = new URL(location.href)
    for (const [name, value] of Object.entries(values)) {
      if (value) url.searchParams.set(name, value)
      else url.searchParams.delete(name)
    }
    this.go(url.pathname + url.search + url.hash, { replace })
  }

  start(): () => void {
    const read = () => this.#read()
    const click = (event: MouseEvent) => this.#click(event)
    addEventListener('popstate', read)
    document.addEventListener('click', click)
    return () => {
      removeEventListener('popstate', read)
      document.removeEventListener('click', click)
    }
  }

  #read(): void {
    this.route = parseRoute(location.pathname) ?? { page: 'inbox' }
    this.query = new URLSearchParams(location.search)
    this.hash = location.hash.slice(1)
  }

  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link?.href || link.target || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.origin !== location.origin || parseRoute(url.pathname) === null) return
    // A fragment of this page is the browser's: it scrolls there.
    if (url.hash && url.pathname === location.pathname && url.search === location.search) return
    event.preventDefault()
    this.go(url.pathname + url.search + url.hash)
  }
}
