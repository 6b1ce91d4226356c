// What a server says about a tool, for whoever is to approve it.
import { isObject, type Json } from '../lib/json'
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

/** The tool just reads, by the word of a server that the person trusts. One that also says it destroys says neither. */
export function justReads(annotations: Json, trusted: boolean): boolean {
  if (!trusted || !isObject(annotations)) return false
  return annotations['readOnlyHint'] === true && annotations['destructiveHint'] !== true
}
