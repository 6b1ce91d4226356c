import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../lib/api'
import type { SignIn } from '../lib/wire'
import type { App } from '../shell/app.svelte'
import { SignInFlow } from './flow.svelte'

const began: SignIn = {
  authorization_url: 'https://as.example/authorize?state=s',
  ...{
    state: 's',
    host: 'as.example',
    issuer: 'https://as.example',
    scopes: [],
    scope_words: {},
    redirect_uri: 'http://x/cb',
  },
  expires_at: '2026-11-30T14:10:00.000Z',
}

function setUp(offline = false) {
  const servers = {
    startSignIn: vi.fn<(name: string, issuer: string) => Promise<SignIn>>(() => Promise.resolve(began)),
    pasteSignIn: vi.fn<(name: string, url: string) => Promise<void>>(() => Promise.resolve()),
    cancelSignIn: vi.fn<() => Promise<void>>(() => Promise.resolve()),
    setClient: vi.fn<(name: string, id: string, secret: string) => Promise<void>>(() => Promise.resolve()),
  }
  return { servers, flow: new SignInFlow({ servers, live: { offline } } as unknown as App, 'docs') }
}

const refusal = (more: { redirect_uri?: string; issuers?: string[] }) =>
  new ApiError({ code: 'invalid', status: 422, detail: 'Not like this.', ...more })

describe('SignInFlow', () => {
  it('knows the address that it began', async () => {
    const { flow, servers } = setUp()
    expect(await flow.start()).toBe(true)
    expect(flow.started).toEqual(began)
    expect(servers.startSignIn).toHaveBeenCalledWith('docs', '')
    await flow.cancel()
    expect(flow.started).toBeNull()
  })

  it('has no address where a machine got its token', async () => {
    const { flow, servers } = setUp()
    servers.startSignIn.mockResolvedValue({ ...began, authorization_url: '' })
    expect(await flow.start()).toBe(true)
    expect(flow.started).toBeNull()
  })

  it('asks for a client, keeps it, and goes on at the issuer that was chosen', async () => {
    const { flow, servers } = setUp()
    servers.startSignIn.mockRejectedValueOnce(refusal({ issuers: ['https://a', 'https://b'] }))
    expect(await flow.start()).toBe(false)
    expect(flow).toMatchObject({
      issuers: ['https://a', 'https://b'],
      error: 'Not like this.',
      redirectUri: '',
    })
    servers.startSignIn.mockRejectedValueOnce(refusal({ redirect_uri: 'http://x/cb' }))
    expect(await flow.start('https://b')).toBe(false)
    expect(flow).toMatchObject({ issuers: [], redirectUri: 'http://x/cb' })
    expect(await flow.useClient(' id ', 's3cret')).toBe(true)
    expect(servers.setClient).toHaveBeenCalledWith('docs', 'id', 's3cret')
    expect(servers.startSignIn).toHaveBeenLastCalledWith('docs', 'https://b')
    expect(flow).toMatchObject({ started: began, redirectUri: '', error: '' })
  })

  it('keeps the form when the client could not be saved', async () => {
    const { flow, servers } = setUp()
    servers.startSignIn.mockRejectedValueOnce(refusal({ redirect_uri: 'http://x/cb' }))
    await flow.start()
    servers.setClient.mockRejectedValueOnce(refusal({}))
    expect(await flow.useClient('id', '')).toBe(false)
    expect(flow.redirectUri).toBe('http://x/cb')
  })

  it('says what is wrong with a pasted address, and takes the next one', async () => {
    const { flow, servers } = setUp()
    await flow.start()
    servers.pasteSignIn.mockRejectedValueOnce(refusal({}))
    expect(await flow.paste('https://elsewhere')).toBe(false)
    expect(flow).toMatchObject({ error: 'Not like this.', started: began })
    expect(await flow.paste(' http://x/cb?code=c&state=s\n')).toBe(true)
    expect(servers.pasteSignIn).toHaveBeenLastCalledWith('docs', 'http://x/cb?code=c&state=s')
    expect(flow).toMatchObject({ error: '', started: null })
  })

  it('does one thing at a time, and nothing without a connection', async () => {
    const { flow, servers } = setUp()
    const first = flow.start()
    expect(await flow.cancel()).toBe(false)
    await first
    expect(servers.cancelSignIn).not.toHaveBeenCalled()
    const off = setUp(true)
    expect(await off.flow.start()).toBe(false)
    expect(off.servers.startSignIn).not.toHaveBeenCalled()
  })
})
