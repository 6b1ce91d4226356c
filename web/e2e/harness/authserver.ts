import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A small authorization server: metadata (RFC 8414), registration (RFC 7591), the code
// grant with PKCE and iss (RFC 9207), client credentials, rotation of refresh tokens, revocation (RFC 7009).

interface Code {
  client: string
  redirectUri: string
  challenge: string
  scopes: string[]
  who: string
}

interface Grant {
  client: string
  scopes: string[]
  who: string
}

/** What an access token is good for. */
export interface Access {
  scopes: string[]
  until: number
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

export class AuthServer {
  issuer = ''
  /** Seconds that an access token lasts. */
  lasts = 3600
  /** Registers whoever asks. */
  registers = true
  /** Renews what it gave. */
  renews = true
  /** Who signs in. */
  who = 'mira'
  /** The clients that it knows, by id; a secret, or "" for none. */
  readonly clients = new Map<string, string>()
  readonly access = new Map<string, Access>()
  /** Every token and code that it gave. */
  readonly given: string[] = []
  revoked = 0
  readonly #codes = new Map<string, Code>()
  readonly #refresh = new Map<string, Grant>()
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  static async start(): Promise<AuthServer> {
    const it = new AuthServer()
    await new Promise<void>((listening) => it.#server.listen(0, '127.0.0.1', listening))
    it.issuer = `http://127.0.0.1:${(it.#server.address() as AddressInfo).port}`
    return it
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** What a request's Authorization header is good for; nothing when it is none of ours, or over. */
  good(header = ''): Access | undefined {
    const found = this.access.get(header.replace(/^Bearer /i, ''))
    return found && found.until > Date.now() ? found : undefined
  }

  /** Forgets all that it gave, as if it had been revoked. */
  forget(): void {
    this.access.clear()
    this.#refresh.clear()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    const body = await read(request)
    const json = (status: number, value: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
        return json(200, this.#metadata())
      case 'POST /register':
        return json(201, this.#register(JSON.parse(body) as object))
      case 'GET /authorize':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(this.#consent(url))
      case 'GET /decide':
        return void response.writeHead(302, { location: this.#decide(url) }).end()
      case 'POST /token': {
        const tokens = this.#token(new URLSearchParams(body))
        return json(tokens ? 200 : 400, tokens ?? { error: 'invalid_grant', error_description: 'It is over' })
      }
      case 'POST /revoke':
        this.revoked += 1
        this.#revoke(new URLSearchParams(body).get('token') ?? '')
        return json(200, {})
      default:
        return json(404, {})
    }
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      revocation_endpoint: `${this.issuer}/revoke`,
      ...(this.registers && { registration_endpoint: `${this.issuer}/register` }),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  #register(wanted: object) {
    const id = randomUUID()
    this.clients.set(id, '')
    return { ...wanted, client_id: id, token_endpoint_auth_method: 'none' }
  }

  #consent({ searchParams: asked }: URL): string {
    const [id = '', uri = ''] = [asked.get('client_id'), asked.get('redirect_uri')].map((text) => text ?? '')
    if (!this.clients.has(id)) return page('Unknown client', `<p>${escaped(id)}</p>`)
    const to = (decision: string) =>
      `/decide?${escaped(new URLSearchParams([...asked, ['decision', decision]]).toString())}`
    const scopes = (asked.get('scope') ?? '').split(' ').filter(Boolean)
    return page(
      'Allow Kontor?',
      `<p>It comes back to ${escaped(uri)}.</p><ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('')}</ul>
      <a href="${to('allow')}" role="button">Allow</a> <a href="${to('deny')}" role="button">Deny</a>`,
    )
  }

  #decide({ searchParams: asked }: URL): string {
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('iss', this.issuer)
    if (asked.get('decision') !== 'allow') {
      back.searchParams.set('error', 'access_denied')
      return back.href
    }
    const code = this.#new()
    this.#codes.set(code, {
      client: asked.get('client_id') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      scopes: (asked.get('scope') ?? '').split(' ').filter(Boolean),
      who: this.who,
    })
    back.searchParams.set('code', code)
    return back.href
  }

  #token(form: URLSearchParams) {
    const grant = this.#grant(form)
    const secret = grant && this.clients.get(grant.client)
    if (!grant || secret === undefined || (secret !== '' && form.get('client_secret') !== secret))
      return undefined
    const [access, refresh] = [this.#new(), this.#new()]
    this.access.set(access, { scopes: grant.scopes, until: Date.now() + this.lasts * 1000 })
    this.#refresh.set(refresh, grant)
    const person = form.get('grant_type') !== 'client_credentials'
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: this.lasts,
      scope: grant.scopes.join(' '),
      ...(person && { refresh_token: refresh, id_token: idToken(grant.who) }),
    }
  }

  #grant(form: URLSearchParams): Grant | undefined {
    switch (form.get('grant_type')) {
      case 'refresh_token':
        return this.#renewed(form)
      case 'client_credentials':
        return { client: form.get('client_id') ?? '', scopes: ['read'], who: '' }
      default:
        return this.#exchanged(form)
    }
  }

  #exchanged(form: URLSearchParams): Grant | undefined {
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return code?.challenge === proof && code.redirectUri === form.get('redirect_uri') ? code : undefined
  }

  /** A refresh token is good once. */
  #renewed(form: URLSearchParams): Grant | undefined {
    const grant = this.#refresh.get(form.get('refresh_token') ?? '')
    this.#refresh.delete(form.get('refresh_token') ?? '')
    return this.renews ? grant : undefined
  }

  #revoke(token: string): void {
    this.access.delete(token)
    this.#refresh.delete(token)
  }

  #new(): string {
    const token = `given-${randomUUID()}`
    this.given.push(token)
    return token
  }
}

/** Says who signed in. Nobody checks its signature: it comes from the token endpoint itself. */
function idToken(who: string): string {
  const parts = [
    JSON.stringify({ alg: 'RS256' }),
    JSON.stringify({ sub: `id of ${who}`, preferred_username: who }),
    'unsigned',
  ]
  return parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
}

export async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
