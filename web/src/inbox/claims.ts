// What a server says about a tool, for whoever is to approve it.
import { isObject, type Json, type JsonObject } from '../lib/json'
import type { Approval } from '../lib/wire'
import { hints, type StateLook } from '../ui/states'

const asClaims: Record<string, string> = {
  writes: 'says it destroys nothing',
  'safe to repeat': 'says it is safe to repeat',
}
const asFacts: Record<string, string> = {
  'says it only reads': 'only reads',
  writes: 'destroys nothing',
}

/** The hints as badges: quoted as claims, plain when the person trusts the server. */
export function claims(annotations: Json, trusted: boolean): StateLook[] {
  const words = trusted ? asFacts : asClaims
  return hints(annotations).map((look) => ({ ...look, word: words[look.word] ?? look.word }))
}

/**
 * How the button looks that approves: filled where the tool just reads, by the word of a
 * server that the person trusts; red where it may destroy, doesn't say, or says both;
 * neutral between.
 */
export function approveLook(
  item: Pick<Approval, 'annotations' | 'trusted' | 'once_only' | 'definition_changed'>,
): 'main' | 'bad' | undefined {
  const said = isObject(item.annotations as Json) ? (item.annotations as JsonObject) : {}
  const reads = said['readOnlyHint'] === true && said['destructiveHint'] !== true
  const spares = said['readOnlyHint'] !== true && said['destructiveHint'] === false
  if (item.once_only || !(reads || spares)) return 'bad'
  return reads && item.trusted && !item.definition_changed ? 'main' : undefined
}
