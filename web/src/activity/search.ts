import { tellingArgument } from '../card/telling'
import type { Json } from '../lib/json'
import type { Call } from '../lib/wire'

/** Whether every word is in what a line of the timeline says. */
export function matches(call: Call, titles: string[], search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const telling = tellingArgument(call.arguments as Json)
  const { name, id, asker, error } = call
  const text = [name, id, ...titles, telling, asker.label ?? '', error?.message ?? '']
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
