// Finding by a few letters: every word typed must start a word of the text, or be in it.

export interface Match {
  /** Higher fits better. */
  score: number
  /** Parts of the text, in order; those that were typed are marked. */
  parts: { text: string; hit: boolean }[]
}

/** How a text fits what was typed; null when it doesn't. `more` is searched, too, but not shown. */
export function match(query: string, text: string, more = ''): Match | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const hits: [number, number][] = []
  let score = 0
  for (const word of words) {
    const at = find(text.toLowerCase(), word)
    if (at >= 0) {
      hits.push([at, at + word.length])
      score += at === 0 ? 4 : startsWord(text, at) ? 3 : 1
    } else if (!more.toLowerCase().includes(word)) {
      return null
    }
  }
  return { score, parts: cut(text, hits) }
}

/** Where the word is, at the start of a word if it can be. */
function find(text: string, word: string): number {
  let first = -1
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (startsWord(text, at)) return at
    if (first < 0) first = at
  }
  return first
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))
}

function cut(text: string, hits: [number, number][]): Match['parts'] {
  const parts: Match['parts'] = []
  let done = 0
  for (const [start, end] of hits.sort((a, b) => a[0] - b[0])) {
    if (end <= done) continue
    const from = Math.max(start, done)
    if (from > done) parts.push({ text: text.slice(done, from), hit: false })
    parts.push({ text: text.slice(from, end), hit: true })
    done = end
  }
  if (done < text.length) parts.push({ text: text.slice(done), hit: false })
  return parts
}
