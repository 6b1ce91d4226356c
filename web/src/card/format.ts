// What a text is: JSON, Markdown, terminal output, or just text.
import { isBranch, parseJson, type Json } from '../lib/json'
import { hasAnsi } from './ansi'

/** Larger text is not looked into. */
const longest = 4_000_000
const longestMarkdown = 200_000

/** Signs of Markdown that prose and logs rarely have. A comment in a script is no heading, so one is not enough. */
const signs = [
  /^#{1,6} \S.*$/m,
  /^(?:```|~~~)[\s\S]*?^(?:```|~~~)\s*$/m,
  /^\|?(?: *:?-{3,}:? *\|)+ *:?-{3,}:? *\|?$/m,
  /(?:^|\s)\*\*\S(?:[^*\n]*\S)?\*\*/,
  /\[[^\]\n]+\]\((?:https?:\/\/|\/|#)[^)\s]+\)/,
  /^[-*] \S.*\n(?:[-*] |\s+)\S/m,
  /^\d+\. \S.*\n(?:.*\n)?\d+\. \S/m,
  /^> \S/m,
  /`[^`\n]+`/,
]

/** Whether text is Markdown: the server says so, or at least two signs do. */
export function isMarkdown(text: string, mimeType = ''): boolean {
  const type = baseType(mimeType)
  if (type === 'text/markdown' || type === 'text/x-markdown') return text.length <= longestMarkdown
  if (type !== '' && type !== 'text/plain') return false
  if (text.length > longestMarkdown || hasAnsi(text) || /^\s*[{[<]/.test(text)) return false
  return signs.filter((sign) => sign.test(text)).length >= 2
}

/** The object or list that a text is; null when it is something else. Servers of the old era send JSON as text. */
export function jsonOf(text: string): Json {
  if (text.length > longest || !/^\s*[{[]/.test(text)) return null
  try {
    const value = parseJson(text)
    return isBranch(value) ? value : null
  } catch {
    return null
  }
}

export function baseType(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase()
}
