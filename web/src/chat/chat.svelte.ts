import { ApiError } from '../lib/api'
import type { JsonObject } from '../lib/json'
import type { Call, EventOf, Frame, Message, SessionDetail } from '../lib/wire'
import type { App } from '../shell/app.svelte'
import { Crossing } from '../state/crossing'
import { lasting } from '../state/lasting.svelte'
import { ChatCalls } from './calls.svelte'
import type { Delta } from './draft'
import { Transcript } from './transcript.svelte'
import type { Sending } from './writing.svelte'

/** The chat that is open: where it stands, what was said, what runs. */
export class Chat {
  readonly id: string
  /** null until read. */
  detail = $state.raw<SessionDetail | null>(null)
  error = $state.raw<unknown>(null)
  /** It was deleted, here or elsewhere. */
  removed = $state(false)
  /** How the last turn ended that was seen to end, to be announced. */
  lastEnd = $state.raw<EventOf<'turn_done'> | null>(null)
  readonly root: Transcript
  readonly calls: ChatCalls
  readonly busy = $derived(this.detail !== null && this.detail.state !== 'idle')
  readonly #app: Pick<App, 'api' | 'live' | 'calls'>
  /** The transcripts of sub-agents that were looked at, by their frames. */
  frames = $state.raw<ReadonlyMap<string, Transcript>>(new Map())
  readonly #crossing = new Crossing()
  #soon: ReturnType<typeof setTimeout> | undefined

  constructor(app: Pick<App, 'api' | 'live' | 'calls'>, id: string) {
    this.#app = app
    this.id = id
    this.root = new Transcript(app.api, id)
    this.calls = new ChatCalls(app.api, app.calls, id)
  }

  /** Reads it, and follows the news until the returned function is called. */
  start(): () => void {
    const { live } = this.#app
    const mine = <E extends { session_id: string }>(take: (event: E) => void) => {
      return (event: E) => event.session_id === this.id && take(event)
    }
    const stops = [
      this.calls.start(),
      live.onResync(() => void this.load()),
      // Whether a model can answer, and which tools there are.
      ...(
        ['models_changed', 'server_state', 'server_removed', 'catalogue_changed', 'sign_in_changed'] as const
      ).map((type) => live.on(type, () => this.#readSoon())),
      () => clearTimeout(this.#soon),
      live.on('session_changed', ({ session }) => session.id === this.id && this.#put(session)),
      live.on('session_removed', ({ id }) => (this.removed ||= id === this.id)),
      live.on(
        'turn_started',
        mine(({ turn_id }) => this.#turn(turn_id)),
      ),
      live.on(
        'turn_done',
        mine((event) => this.#ended(event)),
      ),
      live.on(
        'message_delta',
        mine((delta) => this.#grow(delta)),
      ),
      live.on('message_done', ({ message }) => message.session_id === this.id && this.#take(message)),
      live.on(
        'messages_replaced',
        mine(({ from }) => this.#drop(from)),
      ),
      live.on('frame_changed', ({ frame }) => frame.session_id === this.id && this.#frame(frame)),
    ]
    void this.load()
    return () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const transcripts = [this.root, ...this.frames.values()]
    await Promise.all([this.#read(), this.calls.reload(), ...transcripts.map((one) => one.load())])
  }

  /** Reads the transcript of a sub-agent, and follows it from now on. */
  openFrame(id: string): void {
    if (this.frames.has(id)) return
    const frame = lasting(() => new Transcript(this.#app.api, this.id, id))
    this.frames = new Map([...this.frames, [id, frame]])
    void frame.load()
    void this.#read()
  }

  async send(sending: Sending): Promise<void> {
    const { turn_id } = await this.#app.api.post('/api/sessions/{id}/messages', {
      path: { id: this.id },
      body: sending,
    })
    this.#turn(turn_id)
  }

  async retry(): Promise<void> {
    this.#turn((await this.#app.api.post('/api/sessions/{id}/retry', { path: { id: this.id } })).turn_id)
  }

  async stop(): Promise<void> {
    await this.#app.api.post('/api/sessions/{id}/stop', { path: { id: this.id } })
  }

  /** Switches tool groups on and off: those named are on. */
  async grant(groups: string[]): Promise<void> {
    await this.#answered(
      this.#app.api.put('/api/sessions/{id}/grants', { path: { id: this.id }, body: { groups } }),
    )
  }

  async change(body: { title?: string; agent?: string; model?: string }): Promise<void> {
    await this.#answered(this.#app.api.patch('/api/sessions/{id}', { path: { id: this.id }, body }))
  }

  /** Runs a tool for the person, and shows it among the messages. */
  async run(name: string, args: JsonObject): Promise<Call> {
    const call = await this.#app.api.post('/api/sessions/{id}/calls', {
      path: { id: this.id },
      body: { name, arguments: args },
    })
    this.calls.get(call.id).take(call)
    return call
  }

  async #read(): Promise<void> {
    try {
      await this.#crossing.read(
        () => this.#app.api.get('/api/sessions/{id}', { path: { id: this.id } }),
        (detail) => {
          this.detail = detail
          this.error = null
          for (const draft of detail.drafts) this.#of(draft.frame_id, draft.root)?.takeDraft(draft)
        },
      )
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') this.removed = true
      this.error = error
    }
  }

  /** News of servers comes in crowds. */
  #readSoon(): void {
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => void this.#read(), 300)
  }

  async #answered(answer: Promise<SessionDetail>): Promise<void> {
    await this.#crossing.answer(
      () => answer,
      (detail) => (this.detail = detail),
    )
  }

  #put(detail: SessionDetail): void {
    this.#crossing.news(() => (this.detail = detail))
  }

  #frame(frame: Frame): void {
    this.#crossing.news(() => {
      if (!this.detail) return
      const others = this.detail.frames.filter(({ id }) => id !== frame.id)
      this.detail = { ...this.detail, frames: [...others, frame] }
    })
    if (frame.state !== 'open') this.frames.get(frame.id)?.settle()
  }

  /** A turn is on its way. That it is over may be known before the answer that began it. */
  #turn(turnId: string): void {
    if (this.lastEnd?.turn_id === turnId || !this.detail) return
    const { state } = this.detail
    this.detail = { ...this.detail, turn_id: turnId, state: state === 'idle' ? 'running' : state }
  }

  #ended(event: EventOf<'turn_done'>): void {
    this.lastEnd = event
    for (const transcript of [this.root, ...this.frames.values()]) transcript.settle()
    this.#crossing.news(() => {
      if (this.detail?.turn_id !== event.turn_id) return
      this.detail = { ...this.detail, turn_id: '', state: 'idle' }
    })
  }

  #grow(delta: Delta): void {
    const transcript = this.#of(delta.frame_id, !this.#isFrame(delta.frame_id))
    if (transcript && !transcript.grow(delta)) void this.#read()
  }

  #take(message: Message): void {
    for (const { call_id } of message.parts) if (call_id) this.calls.expect(call_id)
    this.#of(message.frame_id, message.root)?.take(message)
  }

  #drop(from: string): void {
    for (const transcript of [this.root, ...this.frames.values()]) transcript.drop(from)
  }

  #of(frame: string, root: boolean): Transcript | undefined {
    return root ? this.root : this.frames.get(frame)
  }

  /** A sub-agent's frame is told of before its first words. */
  #isFrame(id: string): boolean {
    return this.frames.has(id) || (this.detail?.frames.some((frame) => frame.id === id) ?? false)
  }
}
