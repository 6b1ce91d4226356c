import type { Api } from '../lib/api'
import { ApiError } from '../lib/api'
import type { Json } from '../lib/json'
import type { Inbox, Item, Resolution, ResolveApproval } from '../lib/wire'
import { FormDraft } from '../forms/draft.svelte'
import type { Live } from '../shell/live.svelte'
import { Crossing } from '../state/crossing'
import { lasting } from '../state/lasting.svelte'
import { WordsDraft } from './draft.svelte'

/** An item that was answered, shown a moment longer as one line. */
export interface Answered {
  item: Item
  resolution: Resolution
  /** This tab gave the answer. */
  mine: boolean
}

/** How long an answered item's line stays. */
export const lineTime = 5_000

/** Everything that waits for the person, kept fresh, with what was half typed. */
export class InboxState {
  /** Open items, oldest first, so that a new one never moves the one being read. null until read. */
  items = $state.raw<Item[] | null>(null)
  answered = $state.raw<Answered[]>([])
  error = $state.raw<unknown>(null)
  /** What arrived last, to be announced. */
  latest = $state.raw<Item | null>(null)
  /** Ids of the items whose answer is on its way. */
  sending = $state.raw<ReadonlySet<string>>(new Set())
  readonly count = $derived(this.items?.filter(needsPerson).length ?? 0)

  readonly #api: Api
  readonly #drafts = new Map<string, FormDraft>()
  readonly #words = new Map<string, WordsDraft>()
  readonly #crossing = new Crossing()
  /** How items ended while an answer from here was on its way. */
  readonly #ends = new Map<string, Resolution>()

  constructor(api: Api, live: Live) {
    this.#api = api
    live.onResync(() => void this.load())
    live.on('item_added', ({ item }) => this.#crossing.news(() => this.#add(item)))
    live.on('item_resolved', ({ resolution }) => this.#crossing.news(() => this.#ended(resolution)))
  }

  async load(): Promise<void> {
    try {
      await this.#crossing.read(
        () => this.#api.get('/api/inbox'),
        (inbox) => this.#take(inbox),
      )
    } catch (error) {
      this.error = error
    }
    if (!this.items) return
    const open = new Set(this.items.map(({ id }) => id))
    for (const id of [...this.#drafts.keys(), ...this.#words.keys()]) if (!open.has(id)) this.#forget(id)
  }

  #take({ approvals, elicitations, questions, sign_ins, notifications, findings }: Inbox): void {
    const items: Item[] = [
      ...approvals,
      ...elicitations,
      ...questions,
      ...sign_ins,
      ...notifications,
      ...findings,
    ]
    this.items = items.sort(byAge)
    this.error = null
  }

  /** Open items that a call waits for. */
  ofCall(callId: string): Item[] {
    return this.items?.filter((item) => item.call_id === callId || item.call_ids.includes(callId)) ?? []
  }

  /** What was typed into an item's form so far. It belongs to the item's id alone. */
  draft(id: string, schema: Json): FormDraft {
    let draft = this.#drafts.get(id)
    if (!draft) this.#drafts.set(id, (draft = lasting(() => new FormDraft(schema))))
    return draft
  }

  /** The words typed for an item so far: a note, an answer. They belong to its id alone. */
  words(id: string): WordsDraft {
    let words = this.#words.get(id)
    if (!words) this.#words.set(id, (words = new WordsDraft()))
    return words
  }

  // Answers throw unless they arrived or the item was gone already.

  /** Answers a server's question. */
  resolve(item: Item, action: Resolution['action'], content?: Json): Promise<void> {
    const body = { action, ...(content !== undefined && { content }) }
    return this.#answer(item, action, (path) =>
      this.#api.post('/api/inbox/elicitations/{id}/resolve', { path, body }),
    )
  }

  /** Approves or rejects a call. */
  decide(item: Item, body: ResolveApproval): Promise<void> {
    return this.#answer(item, body.action === 'approve' ? 'accept' : 'decline', (path) =>
      this.#api.post('/api/inbox/approvals/{id}/resolve', { path, body }),
    )
  }

  /** Answers an agent's question; null declines to. */
  reply(item: Item, text: string | null): Promise<void> {
    const body = text === null ? { action: 'decline' as const } : { action: 'answer' as const, text }
    return this.#answer(item, text === null ? 'decline' : 'accept', (path) =>
      this.#api.post('/api/inbox/questions/{id}/resolve', { path, body }),
    )
  }

  /** Takes a notification off the list. */
  dismiss(item: Item): Promise<void> {
    return this.#answer(item, 'accept', (path) =>
      this.#api.post('/api/inbox/notifications/{id}/dismiss', { path }),
    )
  }

  async #answer(
    item: Item,
    action: Resolution['action'],
    send: (path: { id: string }) => Promise<Resolution>,
  ): Promise<void> {
    this.#mark(item.id, true)
    try {
      const resolution = await send({ id: item.id })
      this.#crossing.news(() => this.#settle(resolution, true))
    } catch (error) {
      const gone = error instanceof ApiError && error.code === 'gone'
      const end = gone ? error.resolution : this.#ends.get(item.id)
      // A lost answer to this tab: the same end as it asked for is its own.
      if (end) this.#crossing.news(() => this.#settle(end, !gone && end.action === action))
      else if (gone) this.#crossing.news(() => this.#drop(item.id))
      else throw error
    } finally {
      this.#mark(item.id, false)
      this.#ends.delete(item.id)
    }
  }

  #add(item: Item): void {
    if (this.items?.some(({ id }) => id === item.id)) return
    this.items = [...(this.items ?? []), item].sort(byAge)
    this.latest = item
  }

  /** An item ended. Whose answer that was, an answer of this tab that is on its way will tell. */
  #ended(resolution: Resolution): void {
    if (this.sending.has(resolution.id)) this.#ends.set(resolution.id, resolution)
    else this.#settle(resolution, false)
  }

  #settle(resolution: Resolution, mine: boolean): void {
    const item = this.items?.find(({ id }) => id === resolution.id)
    this.#drop(resolution.id)
    if (!item || this.answered.some((line) => line.item.id === item.id)) return
    this.answered = [...this.answered, { item, resolution, mine }]
    setTimeout(() => {
      this.answered = this.answered.filter((line) => line.item.id !== item.id)
    }, lineTime)
  }

  #drop(id: string): void {
    this.items = this.items?.filter((item) => item.id !== id) ?? null
    this.#forget(id)
  }

  #forget(id: string): void {
    this.#drafts.delete(id)
    this.#words.delete(id)
  }

  #mark(id: string, sending: boolean): void {
    const ids = new Set(this.sending)
    if (sending) ids.add(id)
    else ids.delete(id)
    this.sending = ids
  }
}

/** Whether a call or a chat waits for the person, as opposed to news for them. */
export function needsPerson(item: Item): boolean {
  return item.kind !== 'notification' && item.kind !== 'finding'
}

function byAge(a: Item, b: Item): number {
  return a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id)
}
