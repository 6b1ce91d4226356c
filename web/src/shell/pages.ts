import Activity from '@lucide/svelte/icons/activity'
import Inbox from '@lucide/svelte/icons/inbox'
import Chats from '@lucide/svelte/icons/message-circle'
import Server from '@lucide/svelte/icons/server'
import Settings from '@lucide/svelte/icons/sliders-horizontal'
import Wrench from '@lucide/svelte/icons/wrench'
import type { Component } from 'svelte'
import type { PageName, RouteOf } from '../lib/route'
import type { Icon } from '../ui/states'

interface Page<P extends PageName> {
  title: string
  icon: Icon
  /** The key after g. */
  key: string
  load: () => Promise<{ default: Component<{ route: RouteOf<P> }> }>
}

/** The pages, in the order of the rail. */
export const pages: { [P in PageName]: Page<P> } = {
  inbox: { title: 'Inbox', icon: Inbox, key: 'i', load: () => import('../inbox/Page.svelte') },
  chats: { title: 'Chats', icon: Chats, key: 'c', load: () => import('../chat/Page.svelte') },
  tools: { title: 'Tools', icon: Wrench, key: 't', load: () => import('../tools/Page.svelte') },
  servers: { title: 'Servers', icon: Server, key: 's', load: () => import('../servers/Page.svelte') },
  activity: { title: 'Activity', icon: Activity, key: 'a', load: () => import('../activity/Page.svelte') },
  settings: { title: 'Settings', icon: Settings, key: 'e', load: () => import('../settings/Page.svelte') },
}

export const pageNames = Object.keys(pages) as PageName[]
