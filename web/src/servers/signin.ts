// What a server's page says about signing in, and what it offers.
import type { Server } from '../lib/wire'
import { isMachine, reasonWords, type Phase } from '../signin/words'
import { titleOf } from './listing'
import { grants } from './oauth'
import { sentence } from './words'

/** Where things stand, in a sentence or two. */
export function phaseWords(phase: Phase, server: Server): string {
  const { auth, last_error: error } = server.status
  const title = titleOf(server)
  switch (phase) {
    case 'own_token':
      return 'The token in its settings is sent, so there is nothing to sign in to. Clear it to sign in instead.'
    case 'token_refused':
      return reasonWords('token_refused', '', title)
    case 'none':
      return `${title} has not asked for a sign-in.`
    case 'needs':
      if (isMachine(server)) return machineWords(server)
      return reasonWords(auth.reason, auth.message || (error?.message ?? ''), title)
    case 'signed_in':
      if (auth.message) return sentence(auth.message)
      return isMachine(server) ? machineWords(server) : `Calls to ${title} are made in your name.`
    case 'step_up':
      return `${sentence(auth.message)} Sign in again to grant them. Until then all else goes on with the rights that there are.`.trim()
    case 'signed_out':
      return reasonWords('signed_out', '', title)
  }
}

function machineWords(server: Server): string {
  const { grant } = server.oauth
  const how = grant ? grants[grant].label.toLowerCase() : ''
  return `${sentence(server.status.auth.message)} Kontor gets its tokens by itself: ${how}.`.trim()
}

export interface Buttons {
  /** The word on the button that begins a sign-in; "" for none. */
  signIn: string
  signOut: boolean
  settings: boolean
  /** The first of them is what the person came for. */
  main: boolean
}

export function buttonsOf(phase: Phase, machine: boolean): Buttons {
  const none: Buttons = { signIn: '', signOut: false, settings: false, main: false }
  switch (phase) {
    case 'own_token':
      return { ...none, settings: true }
    case 'token_refused':
      return { ...none, settings: true, main: true }
    case 'none':
      return { ...none, signIn: machine ? 'Get a token' : 'Sign in' }
    case 'needs':
    case 'signed_out':
      return { ...none, signIn: machine ? 'Get a token' : 'Sign in', main: true, settings: machine }
    case 'step_up':
      return { ...none, signIn: 'Sign in again', main: true, signOut: true }
    case 'signed_in':
      return { ...none, signIn: machine ? 'Get a new token' : 'Sign in again', signOut: true }
  }
}
