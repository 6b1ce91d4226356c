// How the choices of a field are drawn: few of them at once, many in a list to search.
import type { ChoiceField, MultiField, Option } from '../lib/schema'

/** `radios`: radio buttons or check boxes in a row; `select`: the browser's own list. */
export type Manner = 'radios' | 'select' | 'list'

/** With more choices, or longer words, nobody finds one without searching or reading in peace. */
const few = { radios: 4, boxes: 30, select: 50 }
const long = 120

export function mannerOf(field: ChoiceField | MultiField): Manner {
  const { length } = field.options
  const words = field.options.some(({ label }) => label.length > long)
  if (field.kind === 'multi') return words || length > few.boxes ? 'list' : 'radios'
  if (words || length > few.select) return 'list'
  return field.required && length <= few.radios ? 'radios' : 'select'
}

/** The indexes of the choices that hold every word of the search; `first` lead. */
export function found(options: readonly Option[], search: string, first: ReadonlySet<number>): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (i: number) => {
    const label = options[i]?.label.toLowerCase() ?? ''
    return words.every((word) => label.includes(word))
  }
  const all = options.map((_, i) => i).filter(fits)
  return [...all.filter((i) => first.has(i)), ...all.filter((i) => !first.has(i))]
}
