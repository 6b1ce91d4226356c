import { checkJson } from '../lib/check'
import { isObject, printJson, type Json, type JsonObject } from '../lib/json'
import { readForm, type Field, type Form } from '../lib/schema'
import { firstInput, readInput, readJson, showValue, type Input, type Reading } from '../lib/validate'

/** What was typed into a schema's form so far, and what is wrong with it. */
export class FormDraft {
  readonly schema: Json
  readonly form: Form
  inputs = $state<Record<string, Input>>({})
  jsonText = $state('')

  readonly #readings = $derived.by(() =>
    Object.fromEntries(
      this.form.fields.map((field) => [field.name, readInput(field, this.inputs[field.name])]),
    ),
  )
  #mode = $state<'form' | 'json'>('form')
  /** Fields whose error may show: they were left, or the form was sent. */
  #shown = $state<Record<string, boolean>>({})
  #jsonShown = $state(false)
  /** What the server had against a field, until it changes. */
  #refused = $state<Record<string, string | undefined>>({})
  /** Values that the form has no field for; they stay. */
  #extra: JsonObject = {}

  constructor(schema: Json) {
    this.schema = schema
    this.form = readForm(schema)
    this.reset()
  }

  /** Back to the schema's defaults. */
  reset(): void {
    this.#extra = {}
    this.#clearErrors()
    this.inputs = Object.fromEntries(this.form.fields.map((field) => [field.name, firstInput(field)]))
    this.jsonText = this.form.jsonOnly || this.form.open ? '' : printJson(this.#values(), 2)
    this.#mode = this.form.jsonOnly || this.form.open ? 'json' : 'form'
  }

  /** Shows values that were sent before; what the form has no field for is kept. */
  fill(values: JsonObject): void {
    const known = new Set(this.form.fields.map(({ name }) => name))
    this.#extra = Object.fromEntries(Object.entries(values).filter(([name]) => !known.has(name)))
    this.#clearErrors()
    this.inputs = Object.fromEntries(this.form.fields.map((f) => [f.name, showValue(f, values[f.name])]))
    this.jsonText = printJson(values, 2)
  }

  get mode(): 'form' | 'json' {
    return this.#mode
  }

  /** Takes what was typed along. JSON that is no object stays JSON. */
  set mode(mode: 'form' | 'json') {
    if (mode === this.#mode) return
    if (mode === 'json') {
      this.jsonText = printJson(this.#values(), 2)
    } else {
      const { value, error } = readJson(this.jsonText, null)
      if (error !== undefined || (value !== undefined && !isObject(value)) || this.form.jsonOnly) {
        this.#jsonShown = true
        return
      }
      this.fill(value ?? {})
    }
    this.#mode = mode
  }

  /** The message to show at a field, or undefined. */
  error(name: string): string | undefined {
    return this.#refused[name] ?? (this.#shown[name] ? this.#readings[name]?.error : undefined)
  }

  get jsonError(): string | undefined {
    return this.#jsonShown ? this.#readJson().error : undefined
  }

  /** How many errors show. */
  get errorCount(): number {
    if (this.#mode === 'json') return this.jsonError ? 1 : 0
    return this.form.fields.filter(({ name }) => this.error(name)).length
  }

  get hasSecret(): boolean {
    return this.form.fields.some((field) => field.kind === 'text' && field.secret)
  }

  set(field: Field, input: Input): void {
    this.inputs[field.name] = input
    this.#refused[field.name] = undefined
  }

  /** The person left the field: its error may show, unless it is just empty still. */
  leave(field: Field): void {
    const input = this.inputs[field.name]
    if (input !== undefined && input !== '') this.#shown[field.name] = true
  }

  /** The content to send; null when something needs a fix, which then shows. */
  read(): JsonObject | null {
    if (this.#mode === 'json') {
      this.#jsonShown = true
      const { value, error } = this.#readJson()
      return error === undefined && isObject(value) ? value : null
    }
    for (const { name } of this.form.fields) this.#shown[name] = true
    return this.form.fields.some(({ name }) => this.#readings[name]?.error !== undefined)
      ? null
      : this.#values()
  }

  /** Shows what the server had against fields; `location` is as in a problem: body.content.name. */
  refuse(errors: { location: string; message: string }[]): void {
    for (const { location, message } of errors) {
      const name = this.form.fields.find((f) => location === f.name || location.endsWith(`.${f.name}`))?.name
      if (name) this.#refused[name] = message
    }
  }

  #readJson(): Reading {
    const reading = readJson(this.jsonText, this.schema)
    if (reading.error === undefined && reading.value !== undefined && !isObject(reading.value)) {
      return { error: 'This must be an object: { … }' }
    }
    if (reading.value === undefined && reading.error === undefined) {
      const error = checkJson(this.schema, {})
      return error ? { error } : { value: {} }
    }
    return reading
  }

  #values(): JsonObject {
    const values: JsonObject = { ...this.#extra }
    for (const { name } of this.form.fields) {
      const value = this.#readings[name]?.value
      if (value !== undefined) values[name] = value
    }
    return values
  }

  #clearErrors(): void {
    this.#shown = {}
    this.#refused = {}
    this.#jsonShown = false
  }
}
