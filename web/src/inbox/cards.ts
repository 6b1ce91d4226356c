import CircleHelp from '@lucide/svelte/icons/circle-question-mark'
import Bell from '@lucide/svelte/icons/bell'
import Key from '@lucide/svelte/icons/key-round'
import Message from '@lucide/svelte/icons/message-circle'
import Search from '@lucide/svelte/icons/search'
import Shield from '@lucide/svelte/icons/shield-check'
import type { Component } from 'svelte'
import type { Item, ItemKind } from '../lib/wire'
import type { Icon } from '../ui/states'
import ElicitationCard from './ElicitationCard.svelte'
import PlainCard from './PlainCard.svelte'

export interface CardProps<T extends Item = Item> {
  item: T
  /** The one that keys act on. */
  current?: boolean
  /** Inside a tool card: without a frame, head or place of its own. */
  embedded?: boolean
  /** This tab's answer has arrived. */
  onanswered?: () => void
}

type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }> extends never ? Item : Extract<Item, { kind: K }>

/** The card of each kind of item. A kind without one does not compile. */
export const cards: { [K in ItemKind]: { icon: Icon; card: Component<CardProps<ItemOf<K>>> } } = {
  approval: { icon: Shield, card: PlainCard },
  elicitation: { icon: CircleHelp, card: ElicitationCard },
  question: { icon: Message, card: PlainCard },
  sign_in: { icon: Key, card: PlainCard },
  notification: { icon: Bell, card: PlainCard },
  finding: { icon: Search, card: PlainCard },
}
