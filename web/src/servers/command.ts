// Command lines: what a person pastes as one line, a server keeps as a program and
// its arguments. Kontor runs no shell, so nothing is expanded here.

export interface CommandLine {
  /** Assignments in front of the program: `TOKEN=abc npx …`. */
  env: Record<string, string>
  command: string
  args: string[]
}

/** Takes a pasted line apart; null when a quote isn't closed or there is no program. */
export function parseCommandLine(line: string): CommandLine | null {
  const words = splitWords(line.trim().replace(/^[$>] /, ''))
  if (!words) return null
  const env: Record<string, string> = {}
  let at = 0
  for (; at < words.length; at++) {
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[at] ?? '')
    if (!assignment) break
    env[assignment[1] ?? ''] = assignment[2] ?? ''
  }
  const [command, ...args] = words.slice(at)
  return command ? { env, command, args } : null
}

/**
 * The words of a line, quotes honoured as a POSIX shell does (XCU 2.2). Outside
 * quotes a backslash escapes blanks, quotes and itself only, so that Windows paths
 * stay whole.
 */
export function splitWords(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i)
    const next = line.charAt(i + 1)
    if (
      c === '\\' &&
      quote !== "'" &&
      next !== '' &&
      (quote === '"' ? '"\\$`\n' : ' \t\n\'"\\').includes(next)
    ) {
      if (next !== '\n') word = (word ?? '') + next
      i++
    } else if (quote !== '') {
      if (c === quote) quote = ''
      else word = (word ?? '') + c
    } else if (c === '"' || c === "'") {
      quote = c
      word ??= ''
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word)
      word = null
    } else {
      word = (word ?? '') + c
    }
  }
  if (quote !== '') return null
  if (word !== null) words.push(word)
  return words
}

/** Words as one line to be read, quoted where a blank would mislead. */
export function joinWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s'"\\]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/**
 * Arguments as text with one on each line. What a line can't hold (nothing, a line
 * break, blanks at its ends) is written as a JSON string.
 */
export function argsText(args: readonly string[]): string {
  return args.map((arg) => (lineHolds(arg) ? arg : JSON.stringify(arg))).join('\n')
}

/** The opposite of argsText; blank lines count for nothing. */
export function parseArgs(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => quoted(line) ?? line)
}

function lineHolds(arg: string): boolean {
  return arg !== '' && arg.trim() === arg && !/[\r\n]/.test(arg) && quoted(arg) === null
}

function quoted(line: string): string | null {
  if (!line.startsWith('"')) return null
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
