import { ApiError, errorText } from '../lib/api'
import type { Server, ServerConfig, Stage } from '../lib/wire'
import {
  configOf,
  draftOf,
  emptyDraft,
  fieldOfMessage,
  nameOf,
  problemsOf,
  type FieldName,
  type Problems,
  type ServerDraft,
} from './draft'
import { sentence } from './words'

/** What a form needs of the servers' state. */
export interface ServerStore {
  readonly list: Server[] | null
  get(name: string): Server | undefined
  add(body: ServerConfig, options: { verify: boolean; signal: AbortSignal }): Promise<Server>
  replace(name: string, body: ServerConfig, options: { force: boolean }): Promise<Server>
  dropForm(name: string): void
}

/** Why saving was refused. */
export interface Refusal {
  message: string
  stages: Stage[]
  /** It could not be started, but can be saved all the same. */
  canSaveAnyway: boolean
}

/** The settings of one server while they are typed. Lives until saved or thrown away. */
export class ServerForm {
  /** The server's name, "" for a new one. */
  readonly name: string
  draft: ServerDraft = $state(emptyDraft())
  refusal = $state.raw<Refusal | null>(null)
  /** When saving began, 0 when it isn't under way. */
  savingSince = $state(0)
  /** Saving was tried, so what is wrong is shown. */
  tried = $state(false)

  readonly #store: ServerStore
  /** What the draft began from, to tell whether anything was typed or changed elsewhere. */
  #start = $state.raw('')
  #base = $state('')
  #abort: AbortController | null = null
  /** What the server said of single fields, until the next try. */
  #refused = $state.raw<Problems>({})

  constructor(store: ServerStore, server?: Server) {
    this.#store = store
    this.name = server?.name ?? ''
    this.reset(server)
  }

  /** Begins anew from what is stored. */
  reset(server?: Server): void {
    this.draft = server ? draftOf(server) : emptyDraft()
    this.#start = JSON.stringify(this.draft)
    this.#base = server?.updated_at ?? ''
    this.refusal = null
    this.#refused = {}
    this.tried = false
  }

  get isNew(): boolean {
    return this.name === ''
  }

  // Getters, not deriveds: the form is made while one component draws and outlives it,
  // and a derived ends with the effect that it was made in.

  get dirty(): boolean {
    return JSON.stringify(this.draft) !== this.#start
  }

  /** The server was changed elsewhere since the draft began. */
  get outdated(): boolean {
    const now = this.#store.get(this.name)
    return now !== undefined && now.updated_at !== this.#base
  }

  /** The name that it will have. */
  get serverName(): string {
    return this.name || nameOf(this.draft, this.#taken)
  }

  /** What is wrong, by field; nothing before saving was tried. */
  get problems(): Problems {
    return this.tried ? { ...this.#refused, ...this.#wrong } : this.#refused
  }

  get #taken(): string[] {
    return this.isNew ? (this.#store.list ?? []).map(({ name }) => name) : []
  }

  get #wrong(): Problems {
    return problemsOf(this.draft, this.#taken)
  }

  /** Saves a new server; verify: only when it can be started. null: refused, and said why. */
  add({ verify }: { verify: boolean }): Promise<Server | null> {
    return this.#save((config, signal) => this.#store.add(config, { verify, signal }))
  }

  /** Saves changed settings; force: the running connection ends at once. null: refused. */
  replace({ force }: { force: boolean }): Promise<Server | null> {
    return this.#save((config) => this.#store.replace(this.name, config, { force }))
  }

  /** Stops trying to start it. */
  cancel(): void {
    this.#abort?.abort()
  }

  async #save(send: (config: ServerConfig, signal: AbortSignal) => Promise<Server>): Promise<Server | null> {
    this.tried = true
    this.#refused = {}
    this.refusal = null
    if (Object.keys(this.#wrong).length > 0 || this.savingSince > 0) return null
    this.savingSince = Date.now()
    const abort = (this.#abort = new AbortController())
    try {
      const config = configOf($state.snapshot(this.draft), this.serverName, this.#store.get(this.name))
      const server = await send(config, abort.signal)
      // The page of a server keeps its form: it goes on from what is stored now.
      if (this.isNew) this.#store.dropForm('')
      else this.reset(this.#store.get(this.name) ?? server)
      return server
    } catch (error) {
      if (!abort.signal.aborted) this.#refuse(error)
      return null
    } finally {
      this.savingSince = 0
    }
  }

  #refuse(error: unknown): void {
    const message = sentence(errorText(error))
    if (!(error instanceof ApiError)) {
      this.refusal = { message, stages: [], canSaveAnyway: false }
      return
    }
    const refused: Problems = {}
    const place = (field: FieldName | null, words: string) => {
      if (field) refused[field] = sentence(words)
    }
    for (const { location, message } of error.fields) place(fieldOfMessage(location), message)
    if (error.code === 'conflict') place('name', error.message)
    else if (error.code === 'invalid' && error.stages.length === 0)
      place(fieldOfMessage(error.message), error.message)
    this.#refused = refused
    this.refusal = { message, stages: error.stages, canSaveAnyway: this.isNew && error.stages.length > 0 }
  }
}
