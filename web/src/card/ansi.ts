// Terminal text as spans with class names: colours and weights of ECMA-48 SGR. All
// other control sequences are left out; nothing here makes HTML.

export interface Span {
  text: string
  /** Class names, "" for plain text. */
  look: string
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
type Colour = (typeof colours)[number]

interface Pen {
  colour: Colour | null
  back: Colour | null
  bold: boolean
  faint: boolean
  italic: boolean
  underline: boolean
  inverse: boolean
}
const plain: Pen = {
  colour: null,
  back: null,
  bold: false,
  faint: false,
  italic: false,
  underline: false,
  inverse: false,
}

const parts = [
  String.raw`\x1b\[([0-?]*)[ -/]*([@-~])`, // CSI … final byte
  String.raw`\x1b[\]PX^_][\s\S]*?(?:\x07|\x1b\\|$)`, // OSC, DCS, SOS, PM, APC … BEL or ST
  String.raw`\x1b[ -/]*[0-~]?`, // any other escape
  String.raw`[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]`, // C0 but tab and line ends
]
const sequence = new RegExp(parts.join('|'), 'g')

export function hasAnsi(text: string): boolean {
  return text.includes('\x1b[')
}

/** The text with its looks. A lone carriage return starts the line anew, as progress bars do. */
export function parseAnsi(text: string): Span[] {
  const spans: Span[] = []
  let pen = plain
  let from = 0
  for (const match of text.matchAll(sequence)) {
    push(spans, text.slice(from, match.index), lookOf(pen))
    from = match.index + match[0].length
    if (match[2] === 'm') pen = drawn(pen, match[1] ?? '')
  }
  push(spans, text.slice(from), lookOf(pen))
  return overwritten(spans)
}

/** The text without control sequences. */
export function stripAnsi(text: string): string {
  return parseAnsi(text)
    .map((span) => span.text)
    .join('')
}

function push(spans: Span[], text: string, look: string): void {
  if (text === '') return
  const last = spans.at(-1)
  if (last?.look === look) last.text += text
  else spans.push({ text, look })
}

/** Drops what a carriage return wrote over, from the start of its line. */
function overwritten(spans: Span[]): Span[] {
  if (!spans.some((span) => span.text.includes('\r'))) return spans
  const kept: Span[] = []
  for (const span of spans) {
    const text = span.text.replace(/\r+\n/g, '\n')
    const parts = text.split('\r')
    for (const [i, part] of parts.entries()) {
      if (i > 0 && part !== '') rewind(kept)
      push(kept, part, span.look)
    }
  }
  return kept
}

function rewind(spans: Span[]): void {
  for (let last = spans.at(-1); last; last = spans.at(-1)) {
    const line = last.text.lastIndexOf('\n')
    if (line >= 0) {
      last.text = last.text.slice(0, line + 1)
      return
    }
    spans.pop()
  }
}

function drawn(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map((code) => Number(code || 0))
  let next = { ...pen }
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(i + 1))
      i += used
      if (code === 38) next.colour = colour
      else next.back = colour
    } else next = one(next, code)
  }
  return next
}

function one(pen: Pen, code: number): Pen {
  switch (code) {
    case 0:
      return plain
    case 1:
      return { ...pen, bold: true }
    case 2:
      return { ...pen, faint: true }
    case 3:
      return { ...pen, italic: true }
    case 4:
      return { ...pen, underline: true }
    case 7:
      return { ...pen, inverse: true }
    case 22:
      return { ...pen, bold: false, faint: false }
    case 23:
      return { ...pen, italic: false }
    case 24:
      return { ...pen, underline: false }
    case 27:
      return { ...pen, inverse: false }
    case 39:
      return { ...pen, colour: null }
    case 49:
      return { ...pen, back: null }
  }
  const base = Math.floor(code / 10)
  const colour = colours[code % 10] ?? null
  if (base === 3 || base === 9) return { ...pen, colour }
  if (base === 4 || base === 10) return { ...pen, back: colour }
  return pen
}

/** 38;5;n and 38;2;r;g;b as the nearest of the eight colours, which both themes can show. */
function extended([mode, a = 0, b = 0, c = 0]: number[]): [Colour | null, number] {
  if (mode === 2) return [nearest(a, b, c), 4]
  if (mode !== 5) return [null, 1]
  if (a < 16) return [colours[a % 8] ?? null, 2]
  if (a >= 232) return [a < 244 ? 'black' : 'white', 2]
  const cube = a - 16
  return [nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51), 2]
}

function nearest(red: number, green: number, blue: number): Colour {
  const middle = (Math.max(red, green, blue) + Math.min(red, green, blue)) / 2
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 32) return middle < 128 ? 'black' : 'white'
  return colours[(red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)] ?? 'white'
}

function lookOf(pen: Pen): string {
  const names: string[] = []
  if (pen.colour) names.push(`ansi-${pen.colour}`)
  if (pen.back) names.push(`ansi-on-${pen.back}`)
  for (const name of ['bold', 'faint', 'italic', 'underline', 'inverse'] as const) {
    if (pen[name]) names.push(`ansi-${name}`)
  }
  return names.join(' ')
}
