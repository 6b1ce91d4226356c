import { ApiError, errorText } from '../lib/api'
import type { SignIn } from '../lib/wire'
import { sentence } from '../servers/words'
import type { App } from '../shell/app.svelte'

type Parts = Pick<App, 'live' | 'servers' | 'toasts'>
/** What is under way, for the button that began it. */
type Deed = 'start' | 'paste' | 'cancel' | 'sign_out' | 'client'

/** Signing in to one server, as far as one card or page does it. What holds everywhere is in the server's auth. */
export class SignInFlow {
  doing = $state<Deed | ''>('')
  /** Why the last deed failed, in words. */
  error = $state('')
  /** What was begun here; its address is known here only. */
  started = $state.raw<SignIn | null>(null)
  /** The authorization servers to choose from. */
  issuers = $state.raw<string[]>([])
  /** Set when a client id must be typed in: the address to register it with. */
  redirectUri = $state('')
  readonly #app: Parts
  readonly #name: string
  #issuer = ''

  constructor(app: Parts, name: string) {
    this.#app = app
    this.#name = name
  }

  get blocked(): boolean {
    return this.doing !== '' || this.#app.live.offline
  }

  /** Asks for the address to sign in at. A machine's grant is done with it. */
  start(issuer = this.#issuer): Promise<boolean> {
    return this.#do('start', () => this.#begin(issuer))
  }

  /** Takes the address that the browser ended at. */
  paste(address: string): Promise<boolean> {
    return this.#do('paste', async () => {
      await this.#app.servers.pasteSignIn(this.#name, address.trim())
      this.forget()
    })
  }

  /** Gives up. A call that waits for it fails. */
  cancel(): Promise<boolean> {
    return this.#do('cancel', async () => {
      await this.#app.servers.cancelSignIn(this.#name)
      this.forget()
    })
  }

  signOut(): Promise<boolean> {
    return this.#do('sign_out', async () => {
      await this.#app.servers.signOut(this.#name)
      this.forget()
    })
  }

  /** Keeps the client that was registered by hand, and starts again. */
  useClient(id: string, secret: string): Promise<boolean> {
    return this.#do('client', async () => {
      await this.#app.servers.setClient(this.#name, id.trim(), secret.trim())
      await this.#begin(this.#issuer)
    })
  }

  /** Back to where no sign-in was begun here. */
  forget(): void {
    this.error = ''
    this.started = null
    this.issuers = []
    this.redirectUri = ''
  }

  async #begin(issuer: string): Promise<void> {
    this.#issuer = issuer
    this.forget()
    const began = await this.#app.servers.startSignIn(this.#name, issuer)
    if (began.authorization_url !== '') this.started = began
  }

  async #do(deed: Deed, action: () => Promise<void>): Promise<boolean> {
    if (this.blocked) return false
    this.doing = deed
    this.error = ''
    try {
      await action()
      return true
    } catch (error) {
      this.error = sentence(errorText(error))
      if (error instanceof ApiError) {
        this.issuers = error.issuers
        if (error.redirectUri) this.redirectUri = error.redirectUri
      }
      return false
    } finally {
      this.doing = ''
    }
  }
}
