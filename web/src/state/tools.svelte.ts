import { ApiError, type Api } from '../lib/api'
import { sameJson, type Json, type JsonObject } from '../lib/json'
import { byTitle } from '../lib/order'
import type { Tool } from '../lib/wire'
import { FormDraft } from '../forms/draft.svelte'
import { lasting } from './lasting.svelte'
import type { Live } from '../shell/live.svelte'
import { Crossing } from './crossing'

/** A tool's definition became another one at `at`. */
interface Change {
  tool: Tool
  at: string
}

/** Every tool of every server, kept fresh, with what was typed into their forms. */
export class ToolsState {
  /** In the order of their titles, the same on every page. null until read. */
  list = $state.raw<Tool[] | null>(null)
  error = $state.raw<unknown>(null)
  readonly #api: Api
  readonly #byName = $derived(new Map(this.list?.map((tool) => [tool.name, tool])))
  readonly #drafts = new Map<string, FormDraft>()
  /** Arguments to be filled in when the tool’s form opens. */
  readonly #prefills = new Map<string, JsonObject>()
  readonly #crossing = new Crossing()
  /** Servers whose tools are being read, and whether they must be read once more. */
  readonly #reading = new Map<string, boolean>()

  constructor(api: Api, live: Live) {
    this.#api = api
    live.onResync(() => void this.load())
    live.on('catalogue_changed', ({ server }) => void this.#reload(server))
    live.on('server_removed', ({ name }) => this.#crossing.news(() => this.#put(name, [])))
  }

  async load(): Promise<void> {
    // What is under way may be older than this.
    for (const server of this.#reading.keys()) this.#reading.set(server, true)
    try {
      await this.#crossing.read(
        () => this.#api.get('/api/tools'),
        ({ items }) => {
          this.list = this.#same(items).sort(byTitle)
          this.error = null
        },
      )
    } catch (error) {
      this.error = error
    }
  }

  /** A tool by its full name. */
  get(name: string): Tool | undefined {
    return this.#byName.get(name)
  }

  /** What a person calls the tool: its title, or its own name. */
  title(name: string): string {
    const tool = this.get(name)
    return tool?.title || tool?.tool || ownTitles.get(name) || ownName(name)
  }

  /** The form of a tool, as it was left. A changed schema keeps what still fits. Not for a $derived. */
  draft(tool: Tool): FormDraft {
    const known = this.#drafts.get(tool.name)
    const schema = tool.input_schema as Json
    let draft = known
    if (!draft || !sameJson(draft.schema, schema)) {
      draft = lasting(() => new FormDraft(schema))
      const typed = known && !known.hasSecret ? known.read() : null
      if (typed) draft.fill(typed)
      this.#drafts.set(tool.name, draft)
    }
    const prefill = this.#prefills.get(tool.name)
    if (prefill) draft.fill(prefill)
    this.#prefills.delete(tool.name)
    return draft
  }

  /** Shows these arguments when the tool’s form opens next. */
  prefill(name: string, args: JsonObject): void {
    this.#prefills.set(name, args)
  }

  /** Takes the definition that changed at `at` for the known one. A later change is refused. */
  async accept(tool: Tool, at: string): Promise<void> {
    try {
      const accepted = await this.#api.post('/api/tools/accept', { body: { name: tool.name, at } })
      this.list = this.list?.map((known) => (known.name === tool.name ? accepted : known)) ?? null
    } catch (error) {
      // What is shown is no longer what is there.
      if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found')) {
        void this.#reload(tool.server)
      }
      throw error
    }
  }

  /**
   * Accepts several changes, one after the other: one that can't be doesn't keep the others
   * from it. Returns those that were refused, and why.
   */
  async acceptAll(changes: readonly Change[]): Promise<(Change & { error: unknown })[]> {
    const refused: (Change & { error: unknown })[] = []
    for (const change of changes) {
      try {
        await this.accept(change.tool, change.at)
      } catch (error) {
        refused.push({ ...change, error })
      }
    }
    return refused
  }

  /**
   * Reads a server's tools. One reading at a time, and once more after it when there was news
   * meanwhile: of two at once the older could come in last.
   */
  async #reload(server: string): Promise<void> {
    const underWay = this.#reading.has(server)
    this.#reading.set(server, underWay)
    if (underWay) return
    do {
      this.#reading.set(server, false)
      try {
        await this.#crossing.answer(
          () => this.#api.get('/api/tools', { query: { server } }),
          ({ items }) => this.#put(server, items),
        )
      } catch (error) {
        this.error = error
      }
    } while (this.#reading.get(server))
    this.#reading.delete(server)
  }

  #put(server: string, items: Tool[]): void {
    if (!this.list) return
    this.list = [...this.list.filter((tool) => tool.server !== server), ...this.#same(items)].sort(byTitle)
  }

  /** Tools that did not change stay the same objects: nothing of theirs is drawn anew. */
  #same(items: Tool[]): Tool[] {
    return items.map((tool) => {
      const known = this.get(tool.name)
      return known && sameJson(known as unknown as Json, tool as unknown as Json) ? known : tool
    })
  }
}

/** The tool’s part of `mcp__<server>__<tool>`. */
/** Kontor's own tools that change how it is set up: no server lists them. */
const ownTitles = new Map(
  Object.entries({
    ...{ register_mcp: 'Add a server', toggle_item: 'Switch a server on or off' },
    ...{ delete_mcp: 'Delete a server', set_secret: 'Set a secret' },
    ...{ list_items: 'List servers', list_secrets: 'List secrets' },
  }).flatMap(([name, title]) => [
    [name, title],
    [`mcp__config__${name}`, title],
  ]),
)

function ownName(name: string): string {
  return /^mcp__.+?__(.+)$/.exec(name)?.[1] ?? name
}
