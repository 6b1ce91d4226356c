// The only place that calls fetch. Paths, parameters, bodies and answers are
// typed by the OpenAPI document; numbers stay exact both ways.
import { isObject, parseJson, printJson, type Json } from './json'
import type { Media, Problem, Resolution, Stage } from './wire'
import type { paths } from './wire.gen'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never
}[keyof paths]

type Content<T> = T extends { content: { 'application/json': infer B } } ? B : undefined
type Success<R> = Content<{ [S in keyof R]: S extends 200 | 201 | 202 | 204 ? R[S] : never }[keyof R]>
type Answer<O> = O extends { responses: infer R } ? Success<R> : never
type PathParams<O> = O extends { parameters: { path: infer T } } ? { path: T } : unknown
type Query<O> = O extends { parameters: { query?: infer T } } ? { query?: T } : unknown
type Body<O> = O extends { requestBody: infer B } ? Content<B> : undefined

/** What a request takes besides its path; `path` fills the {…} of the path. */
type Options<O> = { signal?: AbortSignal } & PathParams<O> &
  Query<O> &
  ([Body<O>] extends [undefined] ? unknown : { body: Body<O> })

type Args<O> = Record<never, never> extends Options<O> ? [options?: Options<O>] : [options: Options<O>]

interface AnyOptions {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  /** The body as it is, instead of JSON. */
  file?: Blob
  signal?: AbortSignal
}

/** Why a request was refused or could not be made. The message may be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Stable name of the cause; `offline` when no answer came. */
  readonly code: string
  /** HTTP status, 0 when no answer came. */
  readonly status: number
  /** What is wrong with single fields: location `body.name`, message. */
  readonly fields: { location: string; message: string }[]
  /** With code `gone`: who answered the item, and how. */
  readonly resolution: Resolution | undefined
  /** When a server was tried and could not be started: how far it came. */
  readonly stages: Stage[]
  /** When a sign-in needs a client id: the address to register it with, "" otherwise. */
  readonly redirectUri: string
  /** When a sign-in can be done at several authorization servers: their issuers. */
  readonly issuers: string[]

  constructor(problem: Partial<Problem> & { code: string; detail: string }, cause?: unknown) {
    super(problem.detail, { cause })
    this.code = problem.code
    this.status = problem.status ?? 0
    this.fields = problem.errors ?? []
    this.resolution = problem.resolution
    this.stages = problem.stages ?? []
    this.redirectUri = problem.redirect_uri ?? ''
    this.issuers = problem.issuers ?? []
  }
}

interface ApiOptions {
  /** Called when the session is over (401), before the error is thrown. */
  signedOut: () => void
  fetch?: typeof globalThis.fetch
}

export class Api {
  readonly #signedOut: () => void
  readonly #fetch: typeof globalThis.fetch

  constructor({ signedOut, fetch = globalThis.fetch.bind(globalThis) }: ApiOptions) {
    this.#signedOut = signedOut
    this.#fetch = fetch
  }

  get<P extends PathOf<'get'>>(path: P, ...[options]: Args<paths[P]['get']>) {
    return this.#send<Answer<paths[P]['get']>>('GET', path, options as AnyOptions)
  }
  post<P extends PathOf<'post'>>(path: P, ...[options]: Args<paths[P]['post']>) {
    return this.#send<Answer<paths[P]['post']>>('POST', path, options as AnyOptions)
  }
  put<P extends PathOf<'put'>>(path: P, ...[options]: Args<paths[P]['put']>) {
    return this.#send<Answer<paths[P]['put']>>('PUT', path, options as AnyOptions)
  }
  patch<P extends PathOf<'patch'>>(path: P, ...[options]: Args<paths[P]['patch']>) {
    return this.#send<Answer<paths[P]['patch']>>('PATCH', path, options as AnyOptions)
  }
  delete<P extends PathOf<'delete'>>(path: P, ...[options]: Args<paths[P]['delete']>) {
    return this.#send<Answer<paths[P]['delete']>>('DELETE', path, options as AnyOptions)
  }

  /** Keeps a file, so that a message can go with it. */
  upload(file: Blob, signal?: AbortSignal): Promise<Media> {
    return this.#send('POST', '/api/media', { file, ...(signal && { signal }) })
  }

  /** Whether a file is still kept. */
  async keeps(file: string, signal?: AbortSignal): Promise<boolean> {
    const path = '/api/mcp-media/{file}'
    const { response } = await this.#exchange('HEAD', path, { path: { file }, ...(signal && { signal }) })
    if (response.status === 401) this.#signedOut()
    if (!response.ok && response.status !== 404) throw problemOf(response, '')
    return response.ok
  }

  async #send<T>(method: string, path: string, options: AnyOptions = {}): Promise<T> {
    const { response, text } = await this.#exchange(method, path, options)
    if (response.status === 401) this.#signedOut()
    if (!response.ok) throw problemOf(response, text)
    if (text === '') return undefined as T
    try {
      return parseJson(text) as T
    } catch (cause) {
      throw new ApiError(
        {
          code: 'protocol',
          status: response.status,
          detail: 'The answer was cut or is not JSON. Try again.',
        },
        cause,
      )
    }
  }

  async #exchange(method: string, path: string, { path: params, query, body, file, signal }: AnyOptions) {
    const headers: Record<string, string> = { Accept: 'application/json' }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (file) headers['Content-Type'] = file.type || 'application/octet-stream'
    try {
      const response = await this.#fetch(fill(path, params) + search(query), {
        method,
        headers,
        credentials: 'same-origin',
        ...(signal && { signal }),
        // What the browser has says nothing about what the server has.
        ...(method === 'HEAD' && { cache: 'no-store' as const }),
        ...(body !== undefined && { body: printJson(body) }),
        ...(file && { body: file }),
      })
      return { response, text: await response.text() }
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new ApiError(
        { code: 'offline', detail: 'Kontor can’t be reached. Check that it runs, then try again.' },
        cause,
      )
    }
  }
}

function fill(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function search(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return '?' + new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

function problemOf(response: Response, text: string): ApiError {
  let problem: Json = null
  try {
    problem = parseJson(text)
  } catch {
    // A proxy's own error page: its status is all that can be told.
  }
  if (isObject(problem) && typeof problem['detail'] === 'string') {
    return new ApiError({ code: 'internal', ...problem, status: response.status } as Problem)
  }
  const detail =
    `The answer was ${response.status} ${response.statusText}`.trimEnd() + '. Try again in a moment.'
  return new ApiError({ code: 'protocol', status: response.status, detail })
}

/** The error as a sentence for the person. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
