// Addresses that servers name are a stranger's words: only some may become links.

/** The address as a link that is safe to open in a new tab; null when it must stay text. */
export function safeHref(address: string): string | null {
  try {
    const { protocol, href } = new URL(address)
    return ['https:', 'http:', 'mailto:'].includes(protocol) ? href : null
  } catch {
    return null
  }
}

// eslint-disable-next-line no-control-regex
const unfit = /[\x00-\x1f\x7f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]+/g

/** A name for a file to be saved under: no folders, no controls, no leading dots. */
export function fileName(name: string, fallback: string): string {
  const clean = name.replace(unfit, '_').replace(/^[.\s_]+|[.\s]+$/g, '')
  return clean.slice(0, 120) || fallback
}
