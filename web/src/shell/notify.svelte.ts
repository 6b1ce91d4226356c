type NotifyState = 'off' | 'on' | 'denied' | 'unavailable'

const storageKey = 'kontor.notify'

/** Browser notifications, on request: only while no tab of Kontor is looked at. */
export class Notify {
  /** off: not asked for; denied: the browser says no. */
  state = $state<NotifyState>(initial())

  async toggle(): Promise<void> {
    if (this.state === 'on') {
      localStorage.removeItem(storageKey)
      this.state = 'off'
      return
    }
    if (this.state === 'unavailable') return
    const permission = await Notification.requestPermission()
    if (permission === 'granted') localStorage.setItem(storageKey, 'on')
    this.state = permission === 'granted' ? 'on' : permission === 'denied' ? 'denied' : 'off'
  }

  /** Tells of one thing; `id` keeps several tabs from telling it twice. */
  tell(id: string, title: string, body: string, open: () => void): void {
    if (this.state !== 'on' || document.visibilityState === 'visible') return
    const note = new Notification(title, { body, tag: id, icon: '/favicon.svg' })
    note.onclick = () => {
      window.focus()
      note.close()
      open()
    }
  }
}

function initial(): NotifyState {
  if (typeof Notification === 'undefined') return 'unavailable'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && localStorage.getItem(storageKey) === 'on' ? 'on' : 'off'
}
