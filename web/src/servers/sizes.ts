// Sizes as a person types them, in steps of 1,024: "16 MiB". What is meant as a limit is
// written so, other than lib/bytes.ts, which rounds for reading.

const steps = ['B', 'KiB', 'MiB', 'GiB'] as const
const bytes: Record<string, number> = {
  b: 1,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
}

/** Bytes of a size such as "16 MiB", "1.5 GB" or "65536 B"; null when it is none. */
export function parseSize(text: string): number | null {
  const [, count, unit = ''] = /^(\d+(?:[.,]\d+)?)\s*([a-z]+)$/.exec(text.trim().toLowerCase()) ?? []
  const size = bytes[unit]
  if (count === undefined || size === undefined) return null
  return Math.round(Number(count.replace(',', '.')) * size)
}

/** A size in its largest whole unit: nothing is rounded away. */
export function sizeText(size: number): string {
  let step = 0
  let value = size
  while (step < steps.length - 1 && value !== 0 && value % 1024 === 0) {
    value /= 1024
    step++
  }
  return `${value} ${steps[step]}`
}
