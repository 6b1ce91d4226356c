// A part of the settings on its own, for tests: with what it sends, and the answers that it gets.
import { render } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { vi } from 'vitest'
import { Api } from '../lib/api'
import { App } from '../shell/app.svelte'
import Harness from './Harness.svelte'

export interface Sent {
  method: string
  url: string
  body: unknown
}

/** `answer` gives the body to each request, or an Error for a refusal. */
export function show(part: Component, answer: (request: Sent) => unknown) {
  const sent: Sent[] = []
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    const body: unknown = init?.body ? JSON.parse(String(init.body)) : null
    const request = { method: init?.method ?? 'GET', url: String(url), body }
    if (request.method !== 'GET') sent.push(request)
    const given = answer(request)
    const refused = given instanceof Error
    const text = JSON.stringify(refused ? { code: 'invalid', detail: given.message } : given)
    return Promise.resolve(new Response(text, { status: refused ? 422 : 200 }))
  })
  const app = new App(
    { version: '1', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } },
    new Api({ signedOut: vi.fn(), fetch }),
  )
  render(Harness, { app, part })
  return { app, sent }
}
