import type { Json } from '../lib/json'

/** What was typed into a schema's form. */
export class FormDraft {
  readonly schema: Json
  constructor(schema: Json) {
    this.schema = schema
  }
}
