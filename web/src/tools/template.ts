// Resource templates (RFC 6570, all operators but prefix lengths and lists): which
// variables they have, and the address once those are filled in.

interface Expression {
  operator: string
  names: string[]
}

/** What stands before, between and around the values of an operator (RFC 6570, appendix A). */
const operators: Record<string, { first: string; between: string; named: boolean; reserved: boolean }> = {
  '': { first: '', between: ',', named: false, reserved: false },
  '+': { first: '', between: ',', named: false, reserved: true },
  '#': { first: '#', between: ',', named: false, reserved: true },
  '.': { first: '.', between: '.', named: false, reserved: false },
  '/': { first: '/', between: '/', named: false, reserved: false },
  ';': { first: ';', between: ';', named: true, reserved: false },
  '?': { first: '?', between: '&', named: true, reserved: false },
  '&': { first: '&', between: '&', named: true, reserved: false },
}

const expression = /\{([+#./;?&]?)([^{}]+)\}/g

/** The names of the variables, each once, in order. */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(expression)].flatMap((match) => parse(match).names)
  return [...new Set(names)]
}

/** The address with values filled in; variables without one are left out. */
export function expandTemplate(template: string, values: Record<string, string>): string {
  return template.replace(expression, (...match: string[]) => {
    const { operator, names } = parse(match)
    const rule = operators[operator]
    if (!rule) return ''
    const parts = names
      .map((name) => [name, values[name] ?? ''] as const)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => {
        const text = rule.reserved ? encodeURI(value) : strict(value)
        return rule.named ? `${name}=${text}` : text
      })
    return parts.length === 0 ? '' : rule.first + parts.join(rule.between)
  })
}

function parse(match: ArrayLike<string>): Expression {
  const names = (match[2] ?? '').split(',').map((name) => name.replace(/[*]$|:\d+$/, '').trim())
  return { operator: match[1] ?? '', names: names.filter(Boolean) }
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function strict(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
