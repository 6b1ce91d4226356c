// Dates of form controls and of the wire (JSON Schema formats date, date-time: RFC 3339).

/** Whether the text is a day that exists, as year-month-day. */
export function isDate(text: string): boolean {
  // toJSON gives null, and rolls over (February 30), where the date doesn't exist.
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    (new Date(`${text}T00:00:00Z`).toJSON() as string | null)?.startsWith(text) === true
  )
}

/** RFC 3339 with the offset that this browser's zone has at that time; "" for no time. */
export function toZoned(local: string): string {
  if (/(Z|[+-]\d{2}:\d{2})$/i.test(local)) return Number.isNaN(Date.parse(local)) ? '' : local
  const at = new Date(local)
  if (Number.isNaN(at.getTime())) return ''
  const offset = -at.getTimezoneOffset()
  const sign = offset < 0 ? '-' : '+'
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
  const seconds = /T\d{2}:\d{2}:\d{2}/.test(local) ? '' : ':00'
  return `${local}${seconds}${sign}${hours}:${minutes}`
}

/** The value of a datetime-local control for an instant. */
export function toLocal(instant: string): string | undefined {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return undefined
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
