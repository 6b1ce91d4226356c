// Long text is shown in steps, never as a wall and never silently cut.

export interface Fold {
  /** What is shown. */
  head: string
  /** How many lines the whole has. */
  lines: number
  /** How many of them are shown; the last one may be cut. */
  shownLines: number
  /** Characters that are not shown. */
  hidden: number
}

export interface FoldLimit {
  lines: number
  chars: number
}

/** What a card shows before anyone asks for more. */
export const firstFold: FoldLimit = { lines: 40, chars: 6_000 }

/** The next step: much more, but never so much that the page stands still. */
export function wider({ lines, chars }: FoldLimit): FoldLimit {
  return { lines: lines + 2_000, chars: chars + 400_000 }
}

/** The beginning of a text within the limit. A rest of a few lines is shown, too. */
export function fold(text: string, limit: FoldLimit): Fold {
  const lines = countLines(text)
  const slack = Math.ceil(limit.lines / 8)
  if (lines <= limit.lines + slack && text.length <= limit.chars * 1.125) {
    return { head: text, lines, shownLines: lines, hidden: 0 }
  }
  let end = lines > limit.lines ? afterLines(text, limit.lines) : text.length
  if (end > limit.chars) end = beforeSurrogate(text, limit.chars)
  const head = text.slice(0, end)
  return { head, lines, shownLines: countLines(head), hidden: text.length - end }
}

/** The beginning of a name that a stranger gave, with how much of it is left out. */
export function brief(text: string, chars = 200): string {
  const { head, hidden } = fold(text, { lines: 3, chars })
  return hidden > 0 ? `${head}… (${hidden.toLocaleString()} more characters)` : text
}

/** Both ends of a line that is longer than `limit`, with how much is left out between them. */
export function foldMiddle(line: string, limit: number): { start: string; hidden: number; end: string } {
  if (line.length <= limit) return { start: line, hidden: 0, end: '' }
  const start = line.slice(0, beforeSurrogate(line, Math.ceil(limit * 0.75)))
  const end = line.slice(beforeSurrogate(line, line.length - Math.floor(limit * 0.25)))
  return { start, hidden: line.length - start.length - end.length, end }
}

/** Lines of a text; a newline at its end begins no line of its own. */
export function countLines(text: string): number {
  if (text === '') return 0
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++
  return count
}

function afterLines(text: string, lines: number): number {
  let end = -1
  for (let i = 0; i < lines; i++) end = text.indexOf('\n', end + 1)
  return end
}

/** Never ends between the halves of a character beyond the basic plane. */
function beforeSurrogate(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}
