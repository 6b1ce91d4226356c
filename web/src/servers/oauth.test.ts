import { describe, expect, it } from 'vitest'
import type { OAuth } from '../lib/wire'
import {
  isUsed,
  nothingOwn,
  oauthDraft,
  oauthProblems,
  oauthWithClient,
  ownOAuth,
  usualRedirect,
  wireOAuth,
  type Grant,
  type OAuthDraft,
} from './oauth'

const of = (changes: Partial<OAuthDraft> = {}): OAuthDraft => ({ ...oauthDraft(), ...changes })

describe('from the wire and back', () => {
  it.each<OAuth>([
    {},
    { client_id: 'kontor', client_secret: { set: true }, scopes: ['a', 'b'], allow_without_s256: true },
    { client_metadata_url: 'https://x.example/c.json', redirect_uri: 'https://x.example/cb', dpop: true },
    {
      grant: 'client_credentials',
      client_id: 'k',
      private_key: { set: true },
      key_id: '1',
      token_endpoint_auth_method: 'private_key_jwt',
    },
    {
      grant: 'enterprise',
      client_id: 'k',
      idp_token_endpoint: 'https://idp.example/token',
      idp_client_id: 'me',
      idp_client_secret: { set: true },
      idp_id_token: '${ID_TOKEN}',
    },
    { grant: 'workload_identity', assertion: '${JWT}', authorization_server: 'https://as.example' },
  ])('keeps everything: %j', (oauth) => {
    expect(wireOAuth(oauthDraft(oauth))).toEqual(oauth)
  })

  it('says how a client with a key proves itself', () => {
    const oauth: OAuth = { grant: 'client_credentials', client_id: 'k', private_key: { set: true } }
    expect(wireOAuth(oauthDraft(oauth))).toEqual({ ...oauth, token_endpoint_auth_method: 'private_key_jwt' })
  })

  it('clears what the grant has no use for, secrets above all', () => {
    const draft = oauthDraft({
      client_id: 'k',
      client_secret: { set: true },
      redirect_uri: 'https://x.example/cb',
    })
    draft.grant = 'workload_identity'
    draft.token_endpoint_auth_method = 'private_key_jwt'
    expect(wireOAuth(draft)).toEqual({
      grant: 'workload_identity',
      client_id: 'k',
      client_secret: null,
      token_endpoint_auth_method: 'private_key_jwt',
    })
  })

  it('takes each scope once', () => {
    expect(wireOAuth(of({ scopes: ' read  write\nread ' })).scopes).toEqual(['read', 'write'])
  })
})

it.each<[Grant, string[]]>([
  ['authorization_code', ['client_id', 'client_secret', 'redirect_uri', 'client_metadata_url']],
  ['client_credentials', ['client_id', 'client_secret']],
  ['enterprise', ['client_id', 'client_secret', 'idp_token_endpoint', 'idp_id_token']],
  ['workload_identity', ['client_id', 'client_secret', 'assertion']],
])('%s has its own fields', (grant, want) => {
  const all = ['client_id', 'client_secret', 'private_key', 'assertion', 'idp_token_endpoint'] as const
  const more = ['idp_id_token', 'redirect_uri', 'client_metadata_url'] as const
  const used = [...all, ...more].filter((name) => isUsed(of({ grant }), name))
  expect(used.sort()).toEqual([...want].sort())
})

describe('oauthProblems', () => {
  it.each<[string, Partial<OAuthDraft>, string[]]>([
    ['nothing typed', {}, []],
    ['no address', { redirect_uri: 'app/callback' }, ['redirect_uri']],
    ['a variable for an address', { redirect_uri: '${WHERE}' }, []],
    ['a scope that can’t be', { scopes: 'read "all"' }, ['scopes']],
    ['no id', { grant: 'client_credentials' }, ['client_id', 'client_secret']],
    [
      'a key is missing',
      { grant: 'client_credentials', client_id: 'k', token_endpoint_auth_method: 'private_key_jwt' },
      ['private_key'],
    ],
    [
      'a company',
      { grant: 'enterprise', client_id: 'k' },
      ['idp_token_endpoint', 'idp_client_id', 'idp_id_token'],
    ],
    ['no assertion', { grant: 'workload_identity' }, ['assertion']],
  ])('%s', (_, changes, want) => {
    expect(Object.keys(oauthProblems(of(changes)))).toEqual(want.map((name) => `oauth.${name}`))
  })

  it('misses no secret that is stored', () => {
    const draft = oauthDraft({ grant: 'client_credentials', client_id: 'k', client_secret: { set: true } })
    expect(oauthProblems(draft)).toEqual({})
    draft.client_secret.intent = 'clear'
    expect(oauthProblems(draft)).toHaveProperty(['oauth.client_secret'])
  })
})

it('puts in a client that was registered by hand, and keeps the rest', () => {
  const oauth: OAuth = { scopes: ['read'], client_id: 'old', client_secret: { set: true } }
  expect(oauthWithClient(oauth, 'new', 's3')).toEqual({
    scopes: ['read'],
    client_id: 'new',
    client_secret: 's3',
  })
  expect(oauthWithClient(oauth, 'new', '')).toEqual({
    scopes: ['read'],
    client_id: 'new',
    client_secret: null,
  })
  expect(oauthWithClient({}, 'new', '')).toEqual({ client_id: 'new' })
})

it('says what is set while it is closed', () => {
  expect(ownOAuth(of())).toBe(nothingOwn)
  expect(ownOAuth(of({ client_id: 'k', dpop: true }))).toBe('2 of your own')
  expect(ownOAuth(of({ grant: 'enterprise' }))).toBe('enterprise-managed')
})

it.each([
  ['https://kontor.example', 'https://kontor.example/oauth/callback'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787/oauth/callback'],
  ['http://nas.lan:8787', 'http://127.0.0.1:33418/callback'],
])('the browser comes back from %s to %s', (base, want) => {
  expect(usualRedirect(base)).toBe(want)
})
