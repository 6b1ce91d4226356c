// JSON Schemas of strangers (elicitation forms, tool inputs) as fields that a person
// can fill in. Whatever has no field of its own becomes a JSON editor: never a blank.
import { isNumber, isObject, numberText, sameJson, type Json, type JsonObject } from './json'
import { Resolver } from './schema-refs'

export type Format = 'email' | 'uri' | 'date' | 'date-time'

interface Base {
  name: string
  /** The schema's title, or the name. */
  label: string
  /** The schema's description. */
  help: string
  required: boolean
  /** null is allowed. */
  nullable: boolean
  default: Json | undefined
}
export interface TextField extends Base {
  kind: 'text'
  format: Format | undefined
  minLength: number | undefined
  maxLength: number | undefined
  /** Masked: a password, token or the like. */
  secret: boolean
  example: string
}
export interface NumberField extends Base {
  kind: 'number'
  integer: boolean
  /** Bounds as they were sent. */
  min: string | undefined
  max: string | undefined
  above: string | undefined
  below: string | undefined
  multipleOf: string | undefined
}
export interface BooleanField extends Base {
  kind: 'boolean'
}
export interface Option {
  value: Json
  label: string
}
export interface ChoiceField extends Base {
  kind: 'choice'
  options: Option[]
}
export interface MultiField extends Base {
  kind: 'multi'
  options: Option[]
  minItems: number | undefined
  maxItems: number | undefined
}
/** A list of plain texts or numbers, one row each. */
export interface ListField extends Base {
  kind: 'list'
  item: TextField | NumberField
  minItems: number | undefined
  maxItems: number | undefined
}
/** Objects, lists of objects, unions and what nobody knows: typed as JSON. */
export interface JsonField extends Base {
  kind: 'json'
  /** What it must be, in words: "an object with a, b", "a list", "any JSON". */
  expects: string
  schema: Json
}
export type Field = TextField | NumberField | BooleanField | ChoiceField | MultiField | ListField | JsonField

export interface Form {
  fields: Field[]
  /** More fields than these may be sent: the JSON editor is the only way to. */
  open: boolean
  /** The root is no object, or can't be read: only the JSON editor will do. */
  jsonOnly: boolean
  /** Rules between fields, in words. */
  rules: string[]
}

/** Reads a schema into a form. Never throws: what it can't read goes to the JSON editor. */
export function readForm(schema: Json): Form {
  if (schema === null || schema === true)
    return { fields: [], open: schema === true, jsonOnly: false, rules: [] }
  const resolver = new Resolver(schema)
  const root = resolver.resolve(schema)
  const types = typesOf(root)
  const notObject = types.length > 0 && !types.includes('object')
  if (!isObject(schema) || notObject) return { fields: [], open: true, jsonOnly: true, rules: [] }
  const branches = [...list(root['oneOf']), ...list(root['anyOf'])].map((branch) => resolver.resolve(branch))
  const parts = [root, ...branches].map((part) => (isObject(part['properties']) ? part['properties'] : {}))
  // Later ones win; a name may be any, __proto__, too.
  const properties: JsonObject = Object.fromEntries(
    [...parts, ...parts.slice(0, 1)].flatMap(Object.entries<Json>),
  )
  const required = new Set(list(root['required']))
  const fields = Object.entries(properties).map(([name, property]) =>
    readField(name, property, required.has(name), resolver),
  )
  const extra = root['additionalProperties']
  const open =
    fields.length === 0 && (extra === true || isObject(extra) || isObject(root['patternProperties']))
  return { fields, open, jsonOnly: false, rules: rulesOf(branches) }
}

/** Whether there is nothing to fill in: a plain yes or no. */
export function isYesNo(form: Form): boolean {
  return form.fields.length === 0 && !form.open && !form.jsonOnly
}

function rulesOf(branches: JsonObject[]): string[] {
  const sets = branches
    .map((branch) => list(branch['required']).map(String))
    .filter((names) => names.length > 0)
  if (sets.length < 2) return []
  return [`Fill in ${sets.map((names) => names.join(' and ')).join(', or ')}.`]
}

function readField(name: string, property: Json, required: boolean, resolver: Resolver): Field {
  const schema = resolver.resolve(property)
  const { part, nullable } = withoutNull(schema, resolver)
  const base: Base = {
    name,
    label: text(schema['title']) || text(part['title']) || name,
    help: text(schema['description']) || text(part['description']),
    required,
    nullable,
    default: schema['default'] ?? part['default'],
  }
  const options = optionsOf(part)
  if (options) return { ...base, kind: 'choice', options }
  switch (onlyType(part)) {
    case 'string':
      return textField(base, part, name)
    case 'integer':
    case 'number':
      return numberField(base, part)
    case 'boolean':
      return { ...base, kind: 'boolean' }
    case 'array':
      return arrayField(base, part, resolver, property)
  }
  return { ...base, kind: 'json', expects: expectation(part), schema: resolver.standalone(property) }
}

function textField(base: Base, schema: JsonObject, name: string): TextField {
  return {
    ...base,
    kind: 'text',
    format: formatOf(schema['format']),
    minLength: count(schema['minLength']),
    maxLength: count(schema['maxLength']),
    secret: isSecret(name, schema),
    example: list(schema['examples']).map(text).find(Boolean) ?? '',
  }
}

function numberField(base: Base, schema: JsonObject): NumberField {
  const number = (key: string) => (isNumber(schema[key]) ? numberText(schema[key]) : undefined)
  return {
    ...base,
    kind: 'number',
    integer: onlyType(schema) === 'integer',
    min: number('minimum'),
    max: number('maximum'),
    above: number('exclusiveMinimum'),
    below: number('exclusiveMaximum'),
    multipleOf: number('multipleOf'),
  }
}

function arrayField(base: Base, schema: JsonObject, resolver: Resolver, property: Json): Field {
  const items = resolver.resolve(schema['items'] ?? null)
  const limits = { minItems: count(schema['minItems']), maxItems: count(schema['maxItems']) }
  const options = optionsOf(items)
  if (options) return { ...base, kind: 'multi', options, ...limits }
  const item = readField(base.name, schema['items'] ?? null, true, resolver)
  // A default that rows can't show (null, mixed) needs the JSON editor.
  const shown = base.default === undefined || Array.isArray(base.default) || base.default === null
  if ((item.kind === 'text' || item.kind === 'number') && !item.nullable && shown) {
    return { ...base, kind: 'list', item: { ...item, label: base.label }, ...limits }
  }
  return { ...base, kind: 'json', expects: 'a list', schema: resolver.standalone(property) }
}

/** All spellings of a choice: enum, enum with enumNames, oneOf or anyOf of const, const alone. */
function optionsOf(schema: JsonObject): Option[] | null {
  if ('const' in schema) return [option(schema['const'] ?? null, schema['title'])]
  if (Array.isArray(schema['enum'])) {
    const names = list(schema['enumNames'])
    return schema['enum'].filter((value) => value !== null).map((value, i) => option(value, names[i] ?? null))
  }
  const branches = list(schema['oneOf'] ?? schema['anyOf'])
  if (branches.length === 0 || !branches.every((b) => isObject(b) && 'const' in b)) return null
  return (branches as JsonObject[])
    .filter((branch) => branch['const'] !== null)
    .map((branch) => option(branch['const'] ?? null, branch['title'] ?? branch['description']))
}

function option(value: Json, title: Json | undefined): Option {
  const plain =
    typeof value === 'string' ? value : isNumber(value) ? numberText(value) : JSON.stringify(value)
  return { value, label: text(title ?? null) || plain }
}

/** Takes null out of a type list, an enum or a union, and says that it was there. */
function withoutNull(schema: JsonObject, resolver: Resolver): { part: JsonObject; nullable: boolean } {
  const types = typesOf(schema)
  const inEnum = Array.isArray(schema['enum']) && schema['enum'].includes(null)
  for (const key of ['anyOf', 'oneOf']) {
    const branches = list(schema[key]).map((branch) => resolver.resolve(branch))
    const rest = branches.filter((branch) => onlyType(branch) !== 'null' && !sameJson(branch['const'], null))
    const [only] = rest
    if (branches.length > 0 && rest.length < branches.length && only) {
      const { [key]: _, ...outer } = schema
      const part = rest.length === 1 ? { ...outer, ...only } : { ...outer, [key]: rest }
      return { part, nullable: true }
    }
    if (branches.length === 1 && only) return { part: { ...schema, ...only }, nullable: false }
  }
  const nullable = types.includes('null') || inEnum || schema['nullable'] === true
  if (!types.includes('null')) return { part: schema, nullable }
  return { part: { ...schema, type: types.filter((type) => type !== 'null') }, nullable }
}

function typesOf(schema: JsonObject): string[] {
  const type = schema['type']
  return (Array.isArray(type) ? type : [type]).filter((t) => typeof t === 'string')
}

/** The one type a schema has, said or implied by its keywords; "" for several or none. */
function onlyType(schema: JsonObject): string {
  const types = typesOf(schema)
  if (types.length > 1) return sameJson([...types].sort(), ['integer', 'number']) ? 'number' : ''
  if (types[0]) return types[0]
  if (list(schema['anyOf']).length > 0 || list(schema['oneOf']).length > 0) return ''
  if ('properties' in schema) return 'object'
  if ('items' in schema) return 'array'
  if (['minLength', 'maxLength', 'pattern', 'format'].some((key) => key in schema)) return 'string'
  return ['minimum', 'maximum', 'multipleOf'].some((key) => key in schema) ? 'number' : ''
}

const words = new Map([
  ['object', 'an object'],
  ['array', 'a list'],
  ['string', 'text in quotes'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['null', 'null'],
])

function expectation(schema: JsonObject): string {
  const types = typesOf(schema)
  const known = types.length > 0 ? types : [onlyType(schema)]
  return known
    .map((type) => (words.get(type) ?? 'any JSON') + (type === 'object' ? members(schema) : ''))
    .join(' or ')
}

/** What an object holds, for who has no form for it: " with street, town". */
function members({ properties }: JsonObject): string {
  const names = isObject(properties) ? Object.keys(properties) : []
  const named = names.slice(0, 8).join(', ')
  return names.length === 0 ? '' : ` with ${named}${names.length > 8 ? ' and more' : ''}`
}

const secretName = /password|passphrase|secret|token/i

function isSecret(name: string, schema: JsonObject): boolean {
  return schema['format'] === 'password' || schema['writeOnly'] === true || secretName.test(name)
}

function formatOf(value: Json | undefined): Format | undefined {
  return value === 'email' || value === 'uri' || value === 'date' || value === 'date-time' ? value : undefined
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
