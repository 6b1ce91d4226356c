import { expect, it } from 'vitest'
import { href, parseRoute, type Route } from './route'

const routes: [string, Route][] = [
  ['/inbox', { page: 'inbox' }],
  ['/chats', { page: 'chats' }],
  ['/chats/+new', { page: 'chats', fresh: true }],
  ['/chats/01JX', { page: 'chats', id: '01JX' }],
  ['/tools', { page: 'tools' }],
  ['/tools/mcp__demo__a%2Fb%20c', { page: 'tools', name: 'mcp__demo__a/b c' }],
  ['/servers', { page: 'servers' }],
  ['/servers/+new', { page: 'servers', adding: true }],
  ['/servers/new', { page: 'servers', name: 'new' }],
  ['/servers/demo', { page: 'servers', name: 'demo' }],
  ['/activity', { page: 'activity' }],
  ['/activity/01JX', { page: 'activity', id: '01JX' }],
  ['/settings/access', { page: 'settings', section: 'access' }],
]

it.each(routes)('%s and its route are the same thing', (path, route) => {
  expect(parseRoute(path)).toEqual(route)
  expect(href(route)).toBe(path)
})

it.each(['/inbox/01JX', '/login', '/signin/demo', '/tools/a/b', '/api/docs', '/nothing'])(
  '%s is not the SPA’s',
  (path) => {
    expect(parseRoute(path)).toBeNull()
  },
)

it.each(['/', '/inbox/', '/tools/'])('%s still opens its page', (path) => {
  expect(parseRoute(path)).not.toBeNull()
})

it('survives a path that is no UTF-8', () => {
  expect(parseRoute('/tools/%ff')).toEqual({ page: 'tools', name: '%ff' })
})
