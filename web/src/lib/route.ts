// Addresses of the SPA. The server answers each of them with its shell; every
// other address (/inbox/{id}, /login, …) is a page of the server's own.

export type Route =
  | { page: 'inbox' }
  | { page: 'chats'; id?: string; fresh?: boolean }
  | { page: 'tools'; name?: string }
  | { page: 'servers'; name?: string; adding?: boolean }
  | { page: 'activity'; id?: string }
  | { page: 'settings'; section?: string }

export type PageName = Route['page']
export type RouteOf<P extends PageName> = Extract<Route, { page: P }>

/** Stands where a server's name or a chat's id does; none can be called so. */
const fresh = '+new'

/** The route of a path, or null when the SPA draws nothing there. */
export function parseRoute(pathname: string): Route | null {
  const [page = '', part, ...rest] = pathname.split('/').slice(1).map(decode)
  if (rest.length > 0) return null
  switch (page) {
    case '':
      return part === undefined ? { page: 'inbox' } : null
    case 'inbox':
      return part ? null : { page: 'inbox' }
    case 'chats':
      if (part === fresh) return { page, fresh: true }
      return { page, ...(part && { id: part }) }
    case 'tools':
      return { page, ...(part && { name: part }) }
    case 'servers':
      if (part === fresh) return { page, adding: true }
      return { page, ...(part && { name: part }) }
    case 'activity':
      return { page, ...(part && { id: part }) }
    case 'settings':
      return { page, ...(part && { section: part }) }
    default:
      return null
  }
}

/** The path of a route; the opposite of parseRoute. */
export function href(route: Route): string {
  switch (route.page) {
    case 'inbox':
      return '/inbox'
    case 'chats':
      return route.fresh ? `/chats/${fresh}` : join('chats', route.id)
    case 'tools':
      return join('tools', route.name)
    case 'servers':
      return route.adding ? `/servers/${fresh}` : join('servers', route.name)
    case 'activity':
      return join('activity', route.id)
    case 'settings':
      return join('settings', route.section)
  }
}

function join(page: string, part: string | undefined): string {
  return part ? `/${page}/${encodeURIComponent(part)}` : `/${page}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
