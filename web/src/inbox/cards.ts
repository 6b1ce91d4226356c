import type { Component } from 'svelte'
import type { Item, ItemKind } from '../lib/wire'
import ApprovalCard from './ApprovalCard.svelte'
import ElicitationCard from './ElicitationCard.svelte'
import NotificationCard from './NotificationCard.svelte'
import PlainCard from './PlainCard.svelte'
import QuestionCard from './QuestionCard.svelte'
import SignInCard from './SignInCard.svelte'

export interface CardProps<T extends Item = Item> {
  item: T
  /** The one that keys act on. */
  current?: boolean
  /** Inside a tool card: without a frame, head or place of its own. */
  embedded?: boolean
  /** What the tool card is called that it is inside: the same title isn't said twice. */
  under?: string
  /** This tab's answer has arrived. */
  onanswered?: () => void
}

type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }> extends never ? Item : Extract<Item, { kind: K }>

/** The card of each kind of item. A kind without one does not compile. */
export const cards: { [K in ItemKind]: Component<CardProps<ItemOf<K>>> } = {
  approval: ApprovalCard,
  elicitation: ElicitationCard,
  question: QuestionCard,
  sign_in: SignInCard,
  notification: NotificationCard,
  finding: PlainCard,
}
