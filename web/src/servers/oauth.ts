// How to sign in to a server while it is typed, and the way from and to the wire.
import { hostOf, isLoopback } from '../lib/hosts'
import type { OAuth } from '../lib/wire'
import { emptyValue, valueDraft, wireValue, type ValueDraft, type WireValue } from './values'

export type Grant = 'authorization_code' | 'client_credentials' | 'enterprise' | 'workload_identity'
export type ClientAuth = NonNullable<OAuth['token_endpoint_auth_method']>

/** The settings that are text, by their names on the wire. */
const texts = [
  'client_id',
  'client_metadata_url',
  'key_id',
  'idp_token_endpoint',
  'idp_client_id',
  'authorization_server',
  'redirect_uri',
] as const
const secrets = ['client_secret', 'private_key', 'assertion', 'idp_client_secret', 'idp_id_token'] as const
const switches = ['dpop', 'allow_without_s256'] as const

export type TextName = (typeof texts)[number]
export type SecretName = (typeof secrets)[number]
export type SwitchName = (typeof switches)[number]
export type OAuthName = TextName | SecretName | SwitchName | 'scopes' | 'token_endpoint_auth_method'
const names: readonly string[] = [...texts, ...secrets, ...switches, 'scopes', 'token_endpoint_auth_method']

export function isOAuthName(name: string): name is OAuthName {
  return names.includes(name)
}

/** A field of this part that can be wrong. */
export type OAuthField = `oauth.${OAuthName}`

export type OAuthDraft = Record<TextName, string> &
  Record<SecretName, ValueDraft> &
  Record<SwitchName, boolean> & {
    grant: Grant
    /** "" lets the authorization server decide. */
    token_endpoint_auth_method: ClientAuth
    /** Separated by blanks. */
    scopes: string
  }

export const grants: Record<Grant, { label: string; help: string }> = {
  authorization_code: {
    label: 'A person signs in',
    help: 'A browser opens the authorization server’s page. What is left empty here, Kontor finds out.',
  },
  client_credentials: {
    label: 'Client credentials',
    help: 'Kontor is known to the authorization server by an id and a secret or key. Nobody signs in.',
  },
  enterprise: {
    label: 'Enterprise-managed',
    help: 'The company’s identity provider vouches for the person with an ID token. Nobody signs in here.',
  },
  workload_identity: {
    label: 'Workload identity',
    help: 'The platform that Kontor runs on gives it a signed token (JWT). Nobody signs in.',
  },
}
export const grantNames = Object.keys(grants) as Grant[]

export const clientAuths: Record<ClientAuth, string> = {
  '': 'What the authorization server takes',
  none: 'By nothing: a public client',
  client_secret_basic: 'Secret, in a header',
  client_secret_post: 'Secret, in the form',
  private_key_jwt: 'Signed with the private key',
}

const client: OAuthName[] = ['client_id', 'client_secret', 'token_endpoint_auth_method']
const place: OAuthName[] = ['scopes', 'authorization_server', 'dpop']
const uses: Record<Grant, OAuthName[]> = {
  authorization_code: [...client, ...place, 'client_metadata_url', 'redirect_uri', 'allow_without_s256'],
  client_credentials: [...client, ...place],
  enterprise: [
    ...client,
    ...place,
    'idp_token_endpoint',
    'idp_client_id',
    'idp_client_secret',
    'idp_id_token',
  ],
  workload_identity: [...client, ...place, 'assertion'],
}

/** Whether what is drafted has a use for a setting. */
export function isUsed(draft: OAuthDraft, name: OAuthName): boolean {
  const signs = name === 'private_key' || name === 'key_id'
  if (signs) return draft.token_endpoint_auth_method === 'private_key_jwt'
  if (name === 'client_secret' && draft.token_endpoint_auth_method === 'private_key_jwt') return false
  return uses[draft.grant].includes(name)
}

export function oauthDraft(oauth: OAuth = {}): OAuthDraft {
  const draft: OAuthDraft = {
    ...(Object.fromEntries(texts.map((name) => [name, oauth[name] ?? ''])) as Record<TextName, string>),
    ...(Object.fromEntries(
      secrets.map((name, id) => [name, valueDraft(id, name, oauth[name] as WireValue | undefined)]),
    ) as Record<SecretName, ValueDraft>),
    dpop: oauth.dpop ?? false,
    allow_without_s256: oauth.allow_without_s256 ?? false,
    grant: oauth.grant || 'authorization_code',
    token_endpoint_auth_method: oauth.token_endpoint_auth_method ?? '',
    scopes: (oauth.scopes ?? []).join(' '),
  }
  // Without a method, a key is what proves the client.
  const keyed = draft.private_key.stored || draft.private_key.text !== ''
  if (keyed && draft.token_endpoint_auth_method === '') draft.token_endpoint_auth_method = 'private_key_jwt'
  return draft
}

/** What is written: what there is a use for. All else is cleared, secrets too. */
export function wireOAuth(draft: OAuthDraft): OAuth {
  const oauth: OAuth = {}
  if (draft.grant !== 'authorization_code') oauth.grant = draft.grant
  for (const name of texts) {
    const text = draft[name].trim()
    if (text !== '' && isUsed(draft, name)) oauth[name] = text
  }
  for (const name of secrets) {
    const value = secretOf(draft, name)
    // Left out, a secret that is there would be kept.
    if (value !== null || draft[name].stored) oauth[name] = value
  }
  for (const name of switches) if (draft[name] && isUsed(draft, name)) oauth[name] = true
  if (draft.token_endpoint_auth_method !== '' && isUsed(draft, 'token_endpoint_auth_method'))
    oauth.token_endpoint_auth_method = draft.token_endpoint_auth_method
  const scopes = scopesOf(draft.scopes)
  if (scopes.length > 0) oauth.scopes = scopes
  return oauth
}

function secretOf(draft: OAuthDraft, name: SecretName): WireValue {
  const value = draft[name]
  if (!isUsed(draft, name) || (value.intent === 'set' && value.text === '')) return null
  return wireValue(value)
}

function scopesOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean))]
}

/** What is wrong, by field. A `${VAR}` may stand for anything. */
export function oauthProblems(draft: OAuthDraft): Partial<Record<OAuthField, string>> {
  const problems: Partial<Record<OAuthField, string>> = {}
  const need = (name: TextName | SecretName, words: string) => {
    if (isUsed(draft, name) && isEmpty(draft[name])) problems[`oauth.${name}`] = words
  }
  for (const name of [
    'client_metadata_url',
    'idp_token_endpoint',
    'authorization_server',
    'redirect_uri',
  ] as const) {
    const text = draft[name].trim()
    if (isUsed(draft, name) && text !== '' && !/^(https?:\/\/\S+|\$\{.*)$/i.test(text))
      problems[`oauth.${name}`] = 'Start the address with https:// or http://.'
  }
  const odd = scopesOf(draft.scopes).find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  if (odd)
    problems['oauth.scopes'] =
      `“${odd}” can’t be a scope: it has a quote, a backslash or a letter beyond ASCII.`
  if (draft.token_endpoint_auth_method === 'private_key_jwt') need('private_key', 'Paste the key.')
  switch (draft.grant) {
    case 'authorization_code':
      if (!isEmpty(draft.client_secret)) need('client_id', 'A secret needs its client id.')
      break
    case 'client_credentials':
      need('client_id', 'Enter the client id.')
      if (draft.token_endpoint_auth_method !== 'private_key_jwt') need('client_secret', 'Enter the secret.')
      break
    case 'enterprise':
      need('client_id', 'Enter the client id.')
      need('idp_token_endpoint', 'Enter the address.')
      need('idp_client_id', 'Enter the client id.')
      need('idp_id_token', 'Paste the ID token.')
      break
    case 'workload_identity':
      need('assertion', 'Paste the token, or name the variable that holds it.')
  }
  return problems
}

function isEmpty(value: string | ValueDraft): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value.intent === 'clear' || (value.intent === 'set' && value.text.trim() === '')
}

export const nothingOwn = 'found out by itself'

/** How many of its settings are the person's own, for the line of the closed part. */
export function ownOAuth(draft: OAuthDraft): string {
  if (draft.grant !== 'authorization_code') return grants[draft.grant].label.toLowerCase()
  const own = Object.keys(wireOAuth(draft)).length
  return own > 0 ? `${own} of your own` : nothingOwn
}

/** The settings with a client that was registered by hand. */
export function oauthWithClient(oauth: OAuth, id: string, secret: string): OAuth {
  const draft = oauthDraft(oauth)
  draft.client_id = id
  draft.client_secret = {
    ...emptyValue(0, 'client_secret'),
    text: secret,
    stored: draft.client_secret.stored,
  }
  return wireOAuth(draft)
}

/** Where the browser comes back to unless the settings say where: see redirect in internal/oauth. */
export function usualRedirect(base: string): string {
  const plain = base.startsWith('http://') && !isLoopback(hostOf(base))
  return plain ? 'http://127.0.0.1:33418/callback' : `${base.replace(/\/$/, '')}/oauth/callback`
}
