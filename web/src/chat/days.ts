// Chats under the days on which they last moved.

export interface Group<T> {
  title: string
  items: T[]
}

/** In the order given, the latest first: Today, Yesterday, days of the week, months. */
export function byDay<T extends { updated_at: string }>(items: readonly T[], now: number): Group<T>[] {
  const groups: Group<T>[] = []
  for (const item of items) {
    const title = dayOf(item.updated_at, now)
    const last = groups.at(-1)
    if (last?.title === title) last.items.push(item)
    else groups.push({ title, items: [item] })
  }
  return groups
}

function dayOf(at: string, now: number): string {
  const day = new Date(at)
  const passed = Math.round((midnight(now) - midnight(day)) / 86_400_000)
  if (passed <= 0) return 'Today'
  if (passed === 1) return 'Yesterday'
  if (passed < 7) return new Intl.DateTimeFormat('en', { weekday: 'long' }).format(day)
  const year = day.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  if (year === undefined) return new Intl.DateTimeFormat('en', { month: 'long' }).format(day)
  return new Intl.DateTimeFormat('en', { month: 'long', year }).format(day)
}

function midnight(at: number | Date): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
