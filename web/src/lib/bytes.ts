const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A size in words, steps of 1,000: 412 KB, 4.2 MB. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let step = 0
  while (Math.round(value) >= 1000 && step < units.length - 1) {
    value /= 1000
    step++
  }
  const digits = step > 0 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${units[step] ?? ''}`
}

/** How many bytes a text takes as UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
