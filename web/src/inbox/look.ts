// What an item of the inbox is called and which icon it has, by what it asks for.
import Bell from '@lucide/svelte/icons/bell'
import Check from '@lucide/svelte/icons/check'
import CircleHelp from '@lucide/svelte/icons/circle-question-mark'
import Key from '@lucide/svelte/icons/key-round'
import Link from '@lucide/svelte/icons/link'
import Lock from '@lucide/svelte/icons/lock'
import Message from '@lucide/svelte/icons/message-circle'
import Search from '@lucide/svelte/icons/search'
import Shield from '@lucide/svelte/icons/shield-check'
import type { Json } from '../lib/json'
import { isYesNo, readForm, type Form } from '../lib/schema'
import type { Item, ItemKind } from '../lib/wire'
import type { Icon } from '../ui/states'
import { titleOf } from './words'

export interface ItemLook {
  title: string
  icon: Icon
}

const icons: Record<Exclude<ItemKind, 'elicitation'>, Icon> = {
  approval: Shield,
  question: Message,
  sign_in: Key,
  notification: Bell,
  finding: Search,
}

/** `server` is what the person calls the item's server. */
export function lookOf(item: Item, server = item.server): ItemLook {
  if (item.kind !== 'elicitation') return { title: titleOf(item, null, server), icon: icons[item.kind] }
  if (item.mode === 'url') return { title: titleOf(item, null), icon: Link }
  const form = readForm(item.schema as Json)
  return { title: titleOf(item, form), icon: formIcon(form) }
}

function formIcon(form: Form): Icon {
  if (isYesNo(form)) return Check
  return form.fields.some((field) => field.kind === 'text' && field.secret) ? Lock : CircleHelp
}
