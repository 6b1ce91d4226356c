import Chat from '@lucide/svelte/icons/message-circle'
import Plus from '@lucide/svelte/icons/plus'
import type { App } from '../shell/app.svelte'
import type { Command } from '../shell/commands.svelte'
import { titleOf } from './words'

/** A new chat, and every chat that is listed, for the palette. */
export function chatCommands({ chats, router }: Pick<App, 'chats' | 'router'>): Command[] {
  const begin: Command = {
    group: 'Actions',
    label: 'New chat',
    icon: Plus,
    run: () => router.go({ page: 'chats', fresh: true }),
  }
  const open = (chats.list ?? []).map((chat): Command => ({
    group: 'Chats',
    label: titleOf(chat),
    ...(chat.state === 'waiting' && { detail: 'waits for you' }),
    ...(chat.state === 'running' && { detail: 'running' }),
    icon: Chat,
    run: () => router.go({ page: 'chats', id: chat.id }),
  }))
  return [begin, ...open]
}
