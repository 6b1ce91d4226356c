// Times as a person reads them: relative up to a day, exact beyond and on hover.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "now", "2 min ago", "3 h ago", then "14 Nov 09:12". */
export function ago(at: string | number | Date, now = Date.now()): string {
  const short = since(at, now)
  return short === 'now' || !/(s|min|h)$/.test(short) ? short : `${short} ago`
}

/** The same without "ago", for narrow places: "2 min", "3 h", "14 Nov 09:12". */
export function since(at: string | number | Date, now = Date.now()): string {
  const time = new Date(at).getTime()
  const passed = now - time
  if (passed < 5_000) return passed > -minute ? 'now' : exact(at)
  if (passed < minute) return `${Math.floor(passed / 1000)} s`
  if (passed < hour) return `${Math.floor(passed / minute)} min`
  if (passed < day) return `${Math.floor(passed / hour)} h`
  return `${date(time, now)} ${clock(time)}`
}

/** What is left until a deadline: "49 min left", "12 s left"; "" once it has passed. */
export function left(deadline: string | number | Date, now = Date.now()): string {
  const rest = new Date(deadline).getTime() - now
  if (rest <= 0) return ''
  if (rest < minute) return `${Math.ceil(rest / 1000)} s left`
  // Up to a second more: clocks tick each second, and a limit of 5 minutes never has 6.
  if (rest < hour) return `${Math.ceil((rest - 999) / minute)} min left`
  return `${Math.floor(rest / hour)} h left`
}

/** Date and time to the second, in the person's own format. */
export function exact(at: string | number | Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}

/** The day as the person writes it, with the year once it is another: "14 Nov", "Nov 14, 2025". */
export function date(at: string | number | Date, now: number, form: DateForm = {}): string {
  const day = new Date(at)
  const thisYear = day.getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat(form.locale, {
    day: 'numeric',
    month: form.month ?? 'short',
    ...(!thisYear && { year: 'numeric' }),
  }).format(day)
}

export interface DateForm {
  month?: 'short' | 'long'
  /** The browser's own, but in tests. */
  locale?: string | undefined
}

/** Hours and minutes as the person writes them: "14:06", "2:06 PM". */
export function clock(at: string | number | Date, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(at))
}

/** A length of time in the unit that reads best: "12 ms", "0.42 s", "31 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`
  if (ms < 1000) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  if (ms < minute) return `${Math.round(ms / 1000)} s`
  if (ms < hour) return parts(Math.round(ms / 1000), 60, 'min', 's')
  return parts(Math.round(ms / minute), 60, 'h', 'min')
}

function parts(total: number, size: number, big: string, small: string): string {
  const rest = total % size
  return `${Math.floor(total / size)} ${big}${rest > 0 ? ` ${rest} ${small}` : ''}`
}
