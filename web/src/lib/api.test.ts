import { expect, it, vi } from 'vitest'
import { Api, ApiError } from './api'
import { Exact } from './json'

function answering(text: string, init: ResponseInit = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(() =>
    Promise.resolve(new Response(init.status === 204 ? null : text, init)),
  )
  const signedOut = vi.fn()
  return { api: new Api({ signedOut, fetch }), fetch, signedOut }
}

it('fills the path, leaves out empty query values and reads exact numbers', async () => {
  const { api, fetch } = answering('{"id":"a","result":{"n":9007199254740993}}')
  const call = await api.get('/api/calls/{id}', { path: { id: 'a/b' } })
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/calls/a%2Fb')
  expect(call.result).toEqual({ n: new Exact('9007199254740993') })

  await api.get('/api/calls', { query: { server: 'demo', limit: 50, tool: '', cursor: undefined } })
  expect(fetch.mock.calls[1]?.[0]).toBe('/api/calls?server=demo&limit=50')
})

it('sends exact numbers as they were typed', async () => {
  const { api, fetch } = answering('{}')
  await api.post('/api/tools/call', {
    body: { name: 'mcp__demo__sum', arguments: { a: new Exact('9007199254740993') } },
  })
  expect(fetch.mock.calls[0]?.[1]?.body).toBe('{"name":"mcp__demo__sum","arguments":{"a":9007199254740993}}')
})

it('gives nothing for an empty answer', async () => {
  const { api } = answering('', { status: 204 })
  await expect(api.delete('/api/secrets/{name}', { path: { name: 'A' } })).resolves.toBeUndefined()
})

it('turns a problem into an ApiError with its code and fields', async () => {
  const { api, signedOut } = answering(
    '{"title":"Conflict","status":409,"code":"gone","detail":"Answered in another tab.","resolution":{"id":"i","action":"accept","by":"you","at":"2026-11-30T14:00:00.000Z"},"errors":[{"location":"body.name","message":"too long"}]}',
    { status: 409, headers: { 'Content-Type': 'application/problem+json' } },
  )
  const error = await api.get('/api/inbox').catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    code: 'gone',
    status: 409,
    message: 'Answered in another tab.',
    fields: [{ location: 'body.name', message: 'too long' }],
    resolution: { by: 'you' },
  })
  expect(signedOut).not.toHaveBeenCalled()
})

it('says so when the session is over', async () => {
  const { api, signedOut } = answering('{"detail":"Sign in.","code":"unauthenticated"}', { status: 401 })
  await expect(api.get('/api/inbox')).rejects.toMatchObject({ code: 'unauthenticated', status: 401 })
  expect(signedOut).toHaveBeenCalledOnce()
})

it('has words for an error page that is no problem document', async () => {
  const { api } = answering('<html>', { status: 502, statusText: 'Bad Gateway' })
  await expect(api.get('/api/inbox')).rejects.toMatchObject({ code: 'protocol', message: /502 Bad Gateway/ })
})

it('calls it offline when no answer comes', async () => {
  const fetch = vi.fn(() => Promise.reject(new TypeError('network')))
  const api = new Api({ signedOut: vi.fn(), fetch })
  await expect(api.get('/api/inbox')).rejects.toMatchObject({ code: 'offline', status: 0 })
})

it('lets an abort through as it is', async () => {
  const stop = new AbortController()
  stop.abort()
  const fetch = vi.fn(() => Promise.reject(new DOMException('stopped', 'AbortError')))
  const api = new Api({ signedOut: vi.fn(), fetch })
  await expect(api.get('/api/inbox', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
})
