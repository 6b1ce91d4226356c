import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { read } from './authserver'

/** How the next answers are: words, none for a while, or a refusal. */
type Mood = 'answers' | 'silent' | 'unauthorized' | 'overloaded' | 'unknown_model'

const refusals = {
  unauthorized: { status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  overloaded: { status: 503, code: 'overloaded', message: 'The engine is overloaded.' },
  unknown_model: { status: 404, code: 'model_not_found', message: 'The model does not exist.' },
}

/** An answer: words, then the tools that it calls. */
export interface Answer {
  /** What must be in the last message: of scripts alone. */
  when?: string
  says?: string
  /** How many tokens it says that it has read; nothing when left out. */
  read?: number
  /** A tool's name and its arguments, as they are written. */
  calls?: readonly (readonly [string, string])[]
}

/** A provider that speaks as OpenAI does (chat completions, streamed), and is as slow and as choosy as told. */
export class OpenAI {
  /** Its address, as it is entered in a model's settings. */
  url = ''
  mood: Mood = 'answers'
  says = 'Hello there.'
  /** What it answers next, one after the other; `says` once none is left. */
  answers: Answer[] = []
  /** What came: the key and the model of each request. */
  readonly requests: { key: string; model: string }[] = []
  /** The whole of each request, as it was sent. */
  readonly bodies: string[] = []
  /** The models that it lists. */
  models: { id: string; context_length?: number }[] = []
  /** The key of each who asked for them. */
  readonly lists: string[] = []
  #held: Promise<void> = Promise.resolve()
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  static async start(): Promise<OpenAI> {
    const it = new OpenAI()
    await new Promise<void>((listening) => it.#server.listen(0, '127.0.0.1', listening))
    it.url = `http://127.0.0.1:${(it.#server.address() as AddressInfo).port}/v1`
    return it
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Keeps each answer back until the returned function is called. */
  hold(): () => void {
    let free!: () => void
    this.#held = new Promise((resolve) => (free = resolve))
    return free
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request)
    const key = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    const list = request.method === 'GET'
    const { model } = list ? { model: '' } : (JSON.parse(body) as { model: string })
    if (list) this.lists.push(key)
    else {
      this.requests.push({ key, model })
      this.bodies.push(body)
    }
    if (this.mood === 'silent') return
    await this.#held
    if (response.destroyed) return // Whoever asked has been stopped meanwhile.
    if (this.mood !== 'answers') {
      const { status, code, message } = refusals[this.mood]
      const error = { message, code, type: 'invalid_request_error' }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
      return
    }
    if (list) {
      const data = this.models.map((one) => ({ ...one, object: 'model' }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const about = { id: 'c1', object: 'chat.completion.chunk', created: 1, model }
    const answer = this.answers.shift() ?? { says: this.says }
    const usage = answer.read && { prompt_tokens: answer.read, completion_tokens: 10 }
    for (const choice of choices(answer)) {
      const chunk = { ...about, choices: [{ index: 0, ...choice }], ...(usage && { usage }) }
      const event = `data: ${JSON.stringify(chunk)}\n\n`
      // In the middle of an event, as networks do.
      response.write(event.slice(0, 20))
      await new Promise((next) => setImmediate(next))
      response.write(event.slice(20))
    }
    response.end('data: [DONE]\n\n')
  }
}

/** An answer in pieces: words, then each call with its arguments in two halves, then why it ends. */
function choices({ says = '', calls = [] }: Answer): object[] {
  const piece = (delta: object) => ({ delta, finish_reason: null })
  const words = says.split(/(?<= )/).map((content) => piece({ content }))
  const called = calls.flatMap(([name, args], index) => {
    const call = (more: object) => piece({ tool_calls: [{ index, ...more }] })
    return [
      call({ id: `call_${index}`, type: 'function', function: { name, arguments: '' } }),
      call({ function: { arguments: args.slice(0, args.length / 2) } }),
      call({ function: { arguments: args.slice(args.length / 2) } }),
    ]
  })
  return [...words, ...called, { delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }]
}
