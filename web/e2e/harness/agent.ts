import type { Kontor } from './kontor'

/** A chat whose model plays a script (docs/guide/models.md), and whose agent may use the demo server. */
export class Agent {
  readonly id: string
  readonly #kontor: Kontor

  private constructor(kontor: Kontor, id: string) {
    this.#kontor = kontor
    this.id = id
  }

  static async start(kontor: Kontor, title: string, script: string): Promise<Agent> {
    const name = `Script for ${title.slice(0, 30)}`.trim()
    await send(kontor, 'POST', '/api/models', { name, provider: 'scripted', script })
    const { id } = await send<{ id: string }>(kontor, 'POST', '/api/sessions', { title, model: name })
    await send(kontor, 'PUT', `/api/sessions/${id}/grants`, { groups: ['demo'] })
    return new Agent(kontor, id)
  }

  /** The agent of a chat that is there. */
  static of(kontor: Kontor, id: string): Agent {
    return new Agent(kontor, id)
  }

  async say(text: string): Promise<void> {
    await send(this.#kontor, 'POST', `/api/sessions/${this.id}/messages`, { text })
  }

  /** "running", "waiting" or "idle". */
  async state(): Promise<string> {
    return (await send<{ state: string }>(this.#kontor, 'GET', `/api/sessions/${this.id}`)).state
  }

  /** Everything said so far, by whomever, as the API tells it. */
  async transcript(): Promise<string> {
    return JSON.stringify(await send(this.#kontor, 'GET', `/api/sessions/${this.id}/messages`))
  }
}

async function send<T>(kontor: Kontor, method: string, path: string, body?: unknown): Promise<T> {
  const response = await kontor.fetch(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}
