// In which order things are listed, everywhere.

// One collator for all: it costs more to make than to use. The UI is English, so its
// order doesn't change with the browser's language; "Item 9" stands before "Item 10".
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** By what a person calls them. */
export function byName(a: string, b: string): number {
  return collator.compare(a, b)
}

/** Tools by their title, or their own name where they have none; of equal ones by the full name. */
export function byTitle(a: Titled, b: Titled): number {
  return byName(a.title || a.tool, b.title || b.tool) || byName(a.name, b.name)
}

interface Titled {
  name: string
  title: string
  tool: string
}
