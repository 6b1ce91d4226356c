import { afterEach, beforeEach, expect, it } from 'vitest'
import { Router } from './router.svelte'

let router: Router
let stop: () => void

beforeEach(() => {
  history.replaceState(null, '', 'http://localhost:3000/inbox')
  router = new Router()
  stop = router.start()
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

/** Clicks a link; reports whether the router took the click. */
function click(attributes: Record<string, string>, init: MouseEventInit = {}): boolean {
  const link = document.createElement('a')
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value)
  document.body.append(link)
  let taken = false
  addEventListener(
    'click',
    (event) => {
      taken = event.defaultPrevented
      event.preventDefault() // Nothing is there to go to in a test.
    },
    { once: true },
  )
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }))
  return taken
}

it('takes clicks on addresses of the SPA', () => {
  expect(click({ href: '/tools/mcp__demo__echo?x=1' })).toBe(true)
  expect(router.route).toEqual({ page: 'tools', name: 'mcp__demo__echo' })
  expect(router.query.get('x')).toBe('1')
})

it.each<[string, Record<string, string>, MouseEventInit]>([
  ['of the server’s own pages', { href: '/inbox/01JX' }, {}],
  ['of other sites', { href: 'https://example.org/tools' }, {}],
  ['for a new tab', { href: '/tools', target: '_blank' }, {}],
  ['with Ctrl', { href: '/tools' }, { ctrlKey: true }],
  ['with the middle button', { href: '/tools' }, { button: 1 }],
  ['of downloads', { href: '/tools', download: '' }, {}],
  ['of fragments of this page', { href: '#main' }, {}],
])('leaves clicks %s to the browser', (_, attributes, init) => {
  expect(click(attributes, init)).toBe(false)
  expect(router.route).toEqual({ page: 'inbox' })
})

it('changes the query without a step to go back to', () => {
  const before = history.length
  router.setQuery({ server: 'demo', state: '' })
  expect(location.search).toBe('?server=demo')
  expect(history.length).toBe(before)
  router.setQuery({ server: '' })
  expect(location.search).toBe('')
})

it('follows back and forward', () => {
  router.go({ page: 'servers' })
  expect(location.pathname).toBe('/servers')
  history.replaceState(null, '', '/activity')
  dispatchEvent(new PopStateEvent('popstate'))
  expect(router.route).toEqual({ page: 'activity' })
})
