import { ApiError, errorText } from '../lib/api'
import type { Import, Server, ServerConfig, Trial } from '../lib/wire'
import {
  configOf,
  draftFrom,
  draftOf,
  emptyDraft,
  fieldOfMessage,
  nameOf,
  problemsOf,
  type FieldName,
  type Problems,
  type ServerDraft,
} from './draft'
import { choicesOf, type Choice } from './recognised'
import { wantsSignIn } from './trial'
import { sentence } from './words'

/** What a form needs of the servers' state. */
export interface ServerStore {
  readonly list: Server[] | null
  get(name: string): Server | undefined
  add(body: ServerConfig, options: { verify: boolean; signal: AbortSignal }): Promise<Server>
  replace(name: string, body: ServerConfig, options: Replacing): Promise<Server>
  /** Tries a configuration; nothing is saved. */
  test(body: ServerConfig, options: { sendStored: boolean; signal: AbortSignal }): Promise<Trial>
  /** Reads what was pasted, or a file; nothing is saved or started. */
  read(source: { text: string } | { path: string }, signal?: AbortSignal): Promise<Import>
  dropForm(name: string): void
}

export interface Replacing {
  /** The running connection ends at once. */
  force?: boolean
  /** Stored secrets may go to another address than they were stored for. */
  sendStored?: boolean
}

/** Why saving was refused. */
export interface Refusal {
  message: string
  /** It could not be started, but can be saved all the same. */
  canSaveAnyway: boolean
  /** Secrets that are stored for this address would be sent to the new one. */
  storedFor?: string
}

/** The settings of one server while they are typed. Lives until saved or thrown away. */
export class ServerForm {
  /** The server's name, "" for a new one. */
  readonly name: string
  draft: ServerDraft = $state(emptyDraft())
  refusal = $state.raw<Refusal | null>(null)
  /** How far the draft came when it was last tried; see tested. */
  trial = $state.raw<Trial | null>(null)
  /** When saving or trying began, 0 when nothing is under way. */
  savingSince = $state(0)
  /** What is under way is a test: nothing is saved. */
  trying = $state(false)
  /** What was pasted, what it was recognised as, and why it was not. */
  pasted = $state('')
  recognised = $state.raw<Import | null>(null)
  unread = $state('')
  /** Saving was tried, so what is wrong is shown. */
  tried = $state(false)

  readonly #store: ServerStore
  /** What the draft began from, to tell whether anything was typed or changed elsewhere. */
  #start = $state.raw('')
  #base = $state('')
  #abort: AbortController | null = null
  #reading: AbortController | null = null
  /** The draft that was tried. */
  #triedDraft = $state('')
  /** The address that stored secrets may be sent to. */
  #sendTo = $state('')
  /** What the draft was read from, for the settings that the form doesn't show. */
  #source: ServerConfig | null = null
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
    this.trial = null
    this.#refused = {}
    this.#sendTo = ''
    this.tried = false
  }

  /** Stored secrets may go along to the address that is typed, and to no other. */
  get sendStored(): boolean {
    return this.#sendTo !== '' && this.#sendTo === this.draft.url
  }
  set sendStored(may: boolean) {
    this.#sendTo = may ? this.draft.url : ''
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

  /** The trial is of the draft as it is now. */
  get tested(): boolean {
    return this.trial !== null && JSON.stringify(this.draft) === this.#triedDraft
  }

  /** What was tried can be kept: it works, or needs nothing but a sign-in. */
  get works(): boolean {
    return this.tested && this.trial !== null && (this.trial.ok || wantsSignIn(this.trial))
  }

  /** The servers to choose from, when more than one was recognised. */
  get choices(): Choice[] {
    return this.recognised && this.recognised.servers.length > 1
      ? choicesOf(this.recognised, this.#taken)
      : []
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
    return this.#save((config) =>
      this.#store.replace(this.name, config, { force, sendStored: this.sendStored }),
    )
  }

  /** Stops trying to start it. */
  cancel(): void {
    this.#abort?.abort()
  }

  /** Tries the draft and keeps how far it came. */
  async test(): Promise<void> {
    const draft = JSON.stringify(this.draft)
    this.trying = true
    const trial = await this.#attempt((config, signal) =>
      this.#store.test(config, { sendStored: this.sendStored, signal }),
    )
    this.trying = false
    if (trial) this.#keepTrial(trial, draft)
  }

  /** Reads what was pasted; the one server in it fills the form. */
  async read(): Promise<void> {
    this.#reading?.abort()
    this.recognised = null
    this.unread = ''
    const text = this.pasted
    if (text.trim() === '') return
    const abort = (this.#reading = new AbortController())
    try {
      const found = await this.#store.read({ text }, abort.signal)
      if (abort.signal.aborted) return
      this.recognised = found
      const [only, another] = choicesOf(found, this.#taken)
      if (only && !another) this.take(only)
    } catch (error) {
      if (!abort.signal.aborted) this.unread = sentence(errorText(error))
    }
  }

  /** Fills the form with one of the servers that were recognised. */
  take({ config, name }: Choice): void {
    this.draft = draftFrom(config, name)
    this.#source = config
    this.refusal = null
    this.trial = null
    this.#refused = {}
    this.tried = false
  }

  #config(): ServerConfig {
    const config = configOf($state.snapshot(this.draft), this.serverName, this.#store.get(this.name))
    if (!this.isNew || !this.#source) return config
    const { enabled_tools = [], disabled_tools = [], delivery = '' } = this.#source
    return { ...config, enabled_tools, disabled_tools, delivery }
  }

  async #save(send: (config: ServerConfig, signal: AbortSignal) => Promise<Server>): Promise<Server | null> {
    const server = await this.#attempt(send)
    if (!server) return null
    // The page of a server keeps its form: it goes on from what is stored now.
    if (this.isNew) this.#store.dropForm('')
    else this.reset(this.#store.get(this.name) ?? server)
    return server
  }

  /** Sends the draft unless something is wrong with it. null: refused or stopped. */
  async #attempt<T>(send: (config: ServerConfig, signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.tried = true
    this.#refused = {}
    this.refusal = null
    if (Object.keys(this.#wrong).length > 0 || this.savingSince > 0) return null
    this.savingSince = Date.now()
    const abort = (this.#abort = new AbortController())
    const draft = JSON.stringify(this.draft)
    try {
      return await send(this.#config(), abort.signal)
    } catch (error) {
      if (!abort.signal.aborted) this.#refuse(error, draft)
      return null
    } finally {
      this.savingSince = 0
    }
  }

  #keepTrial(trial: Trial, draft: string): void {
    this.trial = trial
    this.#triedDraft = draft
  }

  #refuse(error: unknown, draft: string): void {
    const message = sentence(errorText(error))
    if (!(error instanceof ApiError)) {
      this.refusal = { message, canSaveAnyway: false }
      return
    }
    const { stages } = error
    if (stages.length > 0) this.#keepTrial({ ok: false, stages }, draft)
    const refused: Problems = {}
    const place = (field: FieldName | null, words: string) => {
      if (field) refused[field] = sentence(words)
    }
    for (const { location, message } of error.fields) place(fieldOfMessage(location), message)
    if (error.code === 'conflict') place('name', error.message)
    else if (error.code === 'invalid' && stages.length === 0)
      place(fieldOfMessage(error.message), error.message)
    this.#refused = refused
    this.refusal = { message, canSaveAnyway: this.isNew && stages.length > 0 }
    if (error.code === 'secrets_move') this.refusal.storedFor = this.#store.get(this.name)?.url ?? ''
  }
}
