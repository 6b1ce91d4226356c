// JSON text in pieces, to colour it. It need not be whole or valid: what isn't JSON
// stays uncoloured.

/** The classes of the style: key, string, number, atom. "" for all else. */
export type TokenKind = 'k' | 's' | 'n' | 'a' | ''

export interface Token {
  text: string
  kind: TokenKind
}

const token = /("(?:[^"\\\n]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g

/** All of the text, in order. */
export function tokens(text: string): Token[] {
  const out: Token[] = []
  let at = 0
  const plain = (to: number) => {
    if (to > at) out.push({ text: text.slice(at, to), kind: '' })
  }
  for (const match of text.matchAll(token)) {
    const [, string, colon, number] = match
    plain(match.index)
    const kind = string === undefined ? (number === undefined ? 'a' : 'n') : colon === undefined ? 's' : 'k'
    const piece = string ?? match[0]
    out.push({ text: piece, kind })
    at = match.index + piece.length
  }
  plain(text.length)
  return out
}
