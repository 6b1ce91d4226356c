// Characters that can't be seen but change what is: they turn the order of letters
// around (UAX 9), join or part them, or are nothing at all (UTS 39, "invisible").

/** Controls, formats (bidi, zero width, tags), separators of lines, and letters drawn as nothing. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u2800\u3164\uffa0]/gu

/** The text with each of them written out: ‹U+202E›. */
export function writtenOut(text: string): string {
  return text.replace(invisible, mark)
}

export function hasInvisible(text: string): boolean {
  return text.search(invisible) >= 0
}

/** The same in text of several lines: line breaks and tabs stay what they are. */
export function visible(text: string): string {
  return text.replace(blank, (found) => (stays.has(found) ? found : mark(found)))
}

/** Whether `visible` writes something out. */
export function hides(text: string): boolean {
  return visible(text) !== text
}

const blank = new RegExp(`\\r\\n|${invisible.source}`, 'gu')
const stays = new Set(['\r\n', '\n', '\t'])

function mark(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `‹U+${code.padStart(4, '0')}›`
}
