// Single keys and two-key sequences ("g i"). Letters do nothing while someone
// types, and nothing is taken from the browser's own shortcuts.

export type Bindings = Record<string, () => void>

/** How long after "g" the second key may come. */
const sequenceTime = 1_500

export class Keys {
  readonly #layers: Bindings[] = []
  #first: { key: string; at: number } | null = null

  /** Adds bindings, named by key or sequence: `j`, `g i`, `?`, `mod+k`. The latest win. */
  use(bindings: Bindings): () => void {
    this.#layers.push(bindings)
    return () => {
      const at = this.#layers.indexOf(bindings)
      if (at >= 0) this.#layers.splice(at, 1)
    }
  }

  /** Runs what is bound to the key, and reports whether there was anything. */
  handle(event: KeyboardEvent): boolean {
    const name = nameOf(event)
    // A key held down is one press: it must not answer the next card as well.
    if (name === null || event.repeat || event.defaultPrevented || event.isComposing) return false
    if (!name.startsWith('mod+') && (isTyping(event.target) || inOverlay(event.target))) return false
    const sequence =
      this.#first && event.timeStamp - this.#first.at < sequenceTime ? `${this.#first.key} ${name}` : ''
    this.#first = null
    const run = this.#find(sequence) ?? this.#find(name)
    if (run) {
      event.preventDefault()
      run()
      return true
    }
    if (this.#starts(name)) this.#first = { key: name, at: event.timeStamp }
    return false
  }

  #find(name: string): (() => void) | undefined {
    return this.#layers.findLast((layer) => Object.hasOwn(layer, name))?.[name]
  }

  #starts(name: string): boolean {
    return this.#layers.some((layer) => Object.keys(layer).some((key) => key.startsWith(`${name} `)))
  }
}

function nameOf(event: KeyboardEvent): string | null {
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `mod+${event.key.toLowerCase()}`
  return event.key
}

const typedInto =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true]'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(typedInto) !== null
}

function inOverlay(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null
}
