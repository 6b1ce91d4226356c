import type { Icon } from '../ui/states'

export interface Command {
  /** Where it is listed: "Go to", "Tools", "Actions". */
  group: string
  label: string
  /** Quiet words at the end: the server, a state. */
  detail?: string
  /** More words to be found by. */
  keywords?: string
  icon: Icon
  run: () => void
}

/** What the palette offers. Pages add theirs while they are open. */
export class Commands {
  open = $state(false)
  readonly #sources = new Set<() => Command[]>()

  /** Adds commands, asked for whenever the palette opens. */
  use(source: () => Command[]): () => void {
    this.#sources.add(source)
    return () => this.#sources.delete(source)
  }

  all(): Command[] {
    return [...this.#sources].flatMap((source) => source())
  }
}
