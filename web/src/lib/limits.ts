import type { Field, NumberField } from './schema'

/** The field's limits in words: "Whole number, 15 to 480". */
export function limitsOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      if (field.format === 'date-time')
        return `Your time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`
      // An empty text is none: that there must be one is what “required” says.
      return range(field.minLength === 1 ? 0 : field.minLength, field.maxLength, 'character')
    case 'number':
      return numberLimits(field)
    case 'multi':
      return range(field.minItems, field.maxItems, 'choice')
    case 'list':
      return range(field.minItems, field.maxItems, 'item')
    case 'json':
      return `JSON: ${field.expects}`
    default:
      return ''
  }
}

function range(min: number | undefined, max: number | undefined, what: string): string {
  const many = (count: number) => `${count} ${what}${count === 1 ? '' : 's'}`
  if (min && max !== undefined) return min === max ? `Exactly ${many(min)}` : `${min} to ${many(max)}`
  if (min) return `At least ${many(min)}`
  return max !== undefined ? `Up to ${many(max)}` : ''
}

function numberLimits(field: NumberField): string {
  const parts: string[] = []
  if (field.min !== undefined && field.max !== undefined) parts.push(`${field.min} to ${field.max}`)
  else if (field.min !== undefined) parts.push(`${field.min} or more`)
  else if (field.max !== undefined) parts.push(`${field.max} or less`)
  if (field.above !== undefined) parts.push(`more than ${field.above}`)
  if (field.below !== undefined) parts.push(`less than ${field.below}`)
  if (field.multipleOf !== undefined) parts.push(`in steps of ${field.multipleOf}`)
  return [field.integer ? 'Whole number' : 'Number', ...parts].join(', ')
}

/** Two pieces of help as one: the full stop between them just once. */
export function sentences(first: string, second: string): string | undefined {
  if (first && second) return first.replace(/[.\s]*$/, '. ') + second
  return first || second || undefined
}
