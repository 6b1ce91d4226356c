import type { Call } from '../lib/wire'
import { isOpen } from '../card/words'

/**
 * What is known of a call after more news. News and answers cross each other: a
 * settled call stays settled, and news that left out large values takes none away.
 */
export function newer(known: Call, told: Call): Call {
  if (!isOpen(known.state) && isOpen(told.state)) return known
  if (!told.cut) return told
  if (!known.cut && !isOpen(known.state)) return known
  return known.arguments === null ? told : { ...told, arguments: known.arguments }
}
