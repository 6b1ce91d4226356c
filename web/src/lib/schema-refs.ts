// References inside a schema ($ref to $defs) and allOf, put in their place. Only
// references within the document are followed: nothing is ever fetched.
import { isObject, type Json, type JsonObject } from './json'

/** Deeper chains are taken for circles. */
const maxDepth = 32

/** How many schemas are read in all: a few lines can refer to each other a billion times. */
const maxReads = 50_000

export class Resolver {
  readonly #root: Json
  #reads = 0

  constructor(root: Json) {
    this.#root = root
  }

  /** The schema with its own reference and allOf merged in; {} for what is no schema object. */
  resolve(schema: Json, depth = 0): JsonObject {
    if (!isObject(schema) || ++this.#reads > maxReads) return {}
    let merged: JsonObject = { ...schema }
    const ref = merged['$ref']
    if (typeof ref === 'string') {
      delete merged['$ref']
      const target = depth < maxDepth ? this.#find(ref) : undefined
      // Words beside the reference (default, title) win over those of its target.
      if (target !== undefined) merged = join(this.resolve(target, depth + 1), merged)
    }
    if (Array.isArray(merged['allOf']) && depth < maxDepth) {
      const { allOf, ...rest } = merged
      const parts = (allOf as Json[]).map((part) => this.resolve(part, depth + 1))
      merged = [...parts, rest].reduce(join)
    }
    return merged
  }

  /** A part of the document as a document of its own: the definitions come along. */
  standalone(schema: Json): Json {
    if (!isObject(schema) || !isObject(this.#root)) return schema
    const { $defs, definitions } = this.#root
    return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema }
  }

  #find(ref: string): Json | undefined {
    if (ref === '#') return this.#root
    if (!ref.startsWith('#/')) return undefined
    let at: Json | undefined = this.#root
    for (const part of ref.slice(2).split('/')) {
      const key = unescapePointer(part)
      if (Array.isArray(at)) at = at[Number(key)]
      else if (isObject(at) && Object.hasOwn(at, key)) at = at[key]
      else return undefined
    }
    return at
  }
}

/** Two schemas that both hold: properties and required add up, otherwise the second wins. */
function join(first: JsonObject, second: JsonObject): JsonObject {
  const joined: JsonObject = { ...first, ...second }
  if (isObject(first['properties']) && isObject(second['properties'])) {
    joined['properties'] = { ...first['properties'], ...second['properties'] }
  }
  if (Array.isArray(first['required']) && Array.isArray(second['required'])) {
    joined['required'] = [...first['required'], ...second['required']]
  }
  return joined
}

function unescapePointer(part: string): string {
  try {
    part = decodeURIComponent(part)
  } catch {
    // Not percent-encoded after all.
  }
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
