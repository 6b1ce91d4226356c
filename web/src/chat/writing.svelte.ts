import type { components } from '../lib/wire.gen'
import type { Attachment, Media } from '../lib/wire'
import type { Looked } from './sight'

export type Sending = components['schemas']['Sending']

/** Something that goes with a message: what is sent of it, and what the person sees. */
export interface Attached {
  key: number
  label: string
  /** null while it is on its way, or when that failed. */
  attachment: Attachment | null
  /** What kind of file it is, where that is known. */
  looks?: Looked | undefined
  /** Why it can't go along. */
  problem?: string
}

interface Kept {
  text: string
  attached: Attached[]
}

/** What a person writes to one chat, until it is sent. It outlives the page, and a reload. */
export class Writing {
  #text = $state('')
  attached = $state.raw<readonly Attached[]>([])
  readonly #key: string
  #last = 0

  constructor(chat: string) {
    this.#key = `kontor.chat.${chat}`
    const kept = JSON.parse(sessionStorage.getItem(this.#key) ?? 'null') as Kept | null
    this.#text = kept?.text ?? ''
    // A file that was on its way went with the page.
    this.attached = (kept?.attached ?? []).map((one) => (one.attachment ? one : { ...one, problem: cutOff }))
    this.#last = Math.max(0, ...this.attached.map(({ key }) => key))
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#keep()
  }

  /** There is something to send, and nothing that must be waited for or put right first. */
  get ready(): boolean {
    return (
      (this.#text.trim() !== '' || this.attached.length > 0) &&
      this.attached.every(({ attachment }) => attachment !== null)
    )
  }

  add(label: string, attachment: Attachment, looks?: Looked): void {
    this.attached = [...this.attached, { key: ++this.#last, label, attachment, looks }]
    this.#keep()
  }

  /** Keeps a file. It can be sent along once that is done. */
  async upload(
    file: File,
    put: (file: File) => Promise<Media>,
    why: (error: unknown) => string,
  ): Promise<void> {
    const key = ++this.#last
    const label = file.name || 'pasted file'
    this.attached = [...this.attached, { key, label, attachment: null }]
    this.#keep()
    try {
      if (file.size > largest) throw new Error(`It is larger than ${largest >> 20} MiB.`)
      const { file: name, mime_type, size } = await put(file)
      const attachment: Attachment = { kind: 'media', file: name, name: label }
      this.#set(key, { key, label, attachment, looks: { mime_type, size } })
    } catch (error) {
      this.#set(key, { key, label, attachment: null, problem: why(error) })
    }
  }

  /** Looks whether the files are still kept. One that isn't says so, and holds the message back. */
  async check(keeps: (file: string) => Promise<boolean>): Promise<void> {
    await Promise.all(
      this.attached.map(async ({ key, attachment }) => {
        if (attachment?.kind !== 'media' || !attachment.file) return
        // Whoever can't tell now is asked again when it is sent.
        const kept = await keeps(attachment.file).catch(() => true)
        const one = this.attached.find((each) => each.key === key)
        if (!kept && one) this.#set(key, { ...one, attachment: null, problem: noLonger })
      }),
    )
  }

  remove(key: number): void {
    this.attached = this.attached.filter((one) => one.key !== key)
    this.#keep()
  }

  /** Takes out what is to be sent. */
  take(): Sending {
    const sending = {
      text: this.#text,
      attachments: this.attached.flatMap(({ attachment }) => attachment ?? []),
    }
    this.#text = ''
    this.attached = []
    this.#keep()
    return sending
  }

  /** Puts back what could not be sent, before what was written since. */
  putBack(text: string, attached: readonly Attached[]): void {
    this.#text = [text, this.#text].filter(Boolean).join('\n')
    this.attached = [...attached, ...this.attached]
    this.#keep()
  }

  #set(key: number, next: Attached): void {
    this.attached = this.attached.map((one) => (one.key === key ? next : one))
    this.#keep()
  }

  #keep(): void {
    const attached = [...this.attached]
    try {
      if (this.#text === '' && attached.length === 0) sessionStorage.removeItem(this.#key)
      else sessionStorage.setItem(this.#key, JSON.stringify({ text: this.#text, attached } satisfies Kept))
    } catch {
      // The browser keeps nothing (it is full, or private): the tab still does.
    }
  }
}

const cutOff = 'The page was left before it was kept. Attach it again.'
const noLonger = 'Kontor no longer has it. Attach it again.'

/** What the server takes for a file: the largest body of a request. */
export const largest = 16 << 20
