// Spellings that look alike at a glance, after the idea of "skeletons" in Unicode
// TS 39. Letters of other scripts never get here: in a parsed URL they are punycode.

const alike: [spelling: string, look: string][] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['5', 's'],
  ['-', ''],
]

/** What a host looks like; two with the same skeleton are easily mixed up. */
export function skeleton(host: string): string {
  return alike.reduce((name, [spelling, look]) => name.replaceAll(spelling, look), host.toLowerCase())
}

/** Where two names with one skeleton first differ: the part of `name` to mark. */
export function difference(name: string, other: string): [start: number, end: number] {
  let start = 0
  while (start < name.length && name[start] === other[start]) start++
  let end = 0
  while (end < name.length - start && end < other.length - start && name.at(-1 - end) === other.at(-1 - end))
    end++
  return [start, Math.max(name.length - end, start + 1)]
}
