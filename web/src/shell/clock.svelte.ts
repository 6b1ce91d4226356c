/** The time, fresh every second, for whatever shows "2 min ago". */
export class Clock {
  now = $state(Date.now())

  start(): () => void {
    const timer = setInterval(() => (this.now = Date.now()), 1000)
    return () => clearInterval(timer)
  }
}
