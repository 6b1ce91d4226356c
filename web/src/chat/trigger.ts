// What a person is about to pick while they write: "/" at the very start lists prompts, "@"
// before a word lists resources.

export interface Trigger {
  kind: 'prompt' | 'resource'
  /** What was typed after the sign. */
  query: string
  /** Where the sign is. */
  from: number
  /** Where what was typed ends. */
  to: number
}

/** The trigger that ends at the caret; null when there is none. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret)
  // A second slash makes it a path.
  const prompt = /^\/([^\s/]*)$/.exec(before)
  if (prompt) return { kind: 'prompt', query: prompt[1] ?? '', from: 0, to: caret }
  const resource = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!resource) return null
  const query = resource[1] ?? ''
  return { kind: 'resource', query, from: caret - query.length - 1, to: caret }
}

/** The text without the sign and what was typed after it. */
export function withoutTrigger(text: string, { from, to }: Trigger): string {
  const before = text.slice(0, from)
  return before + text.slice(to).replace(/^ /, before === '' || before.endsWith(' ') ? '' : ' ')
}
