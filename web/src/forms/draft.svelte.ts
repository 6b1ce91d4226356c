import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { checkJson } from '../lib/check'
import { isObject, printJson, type Json, type JsonObject } from '../lib/json'
import { readForm, type Field, type Form } from '../lib/schema'
import { firstInput, readInput, readJson, showValue, type Input, type Reading } from '../lib/validate'

/**
 * What was typed into a schema's form so far, and what is wrong with it. By name in
 * maps: a stranger may call a field `constructor` or `__proto__`.
 */
export class FormDraft {
  readonly schema: Json
  readonly form: Form
  readonly inputs = new SvelteMap<string, Input>()
  jsonText = $state('')

  readonly #readings = $derived.by(
    () => new Map(this.form.fields.map((field) => [field.name, this.#readField(field)])),
  )
  #mode = $state<'form' | 'json'>('form')
  /** Fields whose error may show: they were left, or the form was sent. */
  readonly #shown = new SvelteSet<string>()
  #jsonShown = $state(false)
  /** What the server had against a field, until it changes. */
  readonly #refused = new SvelteMap<string, string>()
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
    for (const field of this.form.fields) this.inputs.set(field.name, firstInput(field))
    this.jsonText = this.form.jsonOnly || this.form.open ? '' : printJson(this.#values(), 2)
    this.#mode = this.form.jsonOnly || this.form.open ? 'json' : 'form'
  }

  /** Shows values that were sent before; what the form has no field for is kept. */
  fill(values: JsonObject): void {
    const known = new Set(this.form.fields.map(({ name }) => name))
    this.#extra = Object.fromEntries(Object.entries(values).filter(([name]) => !known.has(name)))
    this.#clearErrors()
    for (const field of this.form.fields) {
      const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
      this.inputs.set(field.name, showValue(field, value))
    }
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
    return this.#refused.get(name) ?? (this.#shown.has(name) ? this.#readings.get(name)?.error : undefined)
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
    this.inputs.set(field.name, input)
    this.#refused.delete(field.name)
  }

  /** The person left the field: its error may show, unless it is just empty still. */
  leave(field: Field): void {
    const input = this.inputs.get(field.name)
    const empty = Array.isArray(input)
      ? input.length > 0 && input.every((row) => row === '')
      : input === undefined || input === ''
    if (!empty) this.#shown.add(field.name)
  }

  /** The content to send; null when something needs a fix, which then shows. */
  read(): JsonObject | null {
    if (this.#mode === 'json') {
      this.#jsonShown = true
      const { value, error } = this.#readJson()
      return error === undefined && isObject(value) ? value : null
    }
    for (const { name } of this.form.fields) this.#shown.add(name)
    for (const { error } of this.#readings.values()) if (error !== undefined) return null
    return this.#values()
  }

  /** Shows what the server had against fields; `location` is as in a problem: body.content.name. */
  refuse(errors: { location: string; message: string }[]): void {
    for (const { location, message } of errors) {
      const path = location.replace(/^body\.(content|arguments)\./, '')
      const field = this.form.fields.find(({ name }) => path === name || path.startsWith(`${name}.`))
      if (field) this.#refused.set(field.name, message.charAt(0).toUpperCase() + message.slice(1))
    }
  }

  /** A default as JSON that nobody touched goes as it came: whoever asked for it judges it. */
  #readField(field: Field): Reading {
    const input = this.inputs.get(field.name)
    if (field.kind === 'json' && input !== undefined && input === showValue(field, field.default))
      return field.default === undefined ? {} : { value: field.default }
    return readInput(field, input)
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
    const values = [...this.#readings].flatMap(([name, { value }]): [string, Json][] =>
      value === undefined ? [] : [[name, value]],
    )
    return Object.fromEntries([...Object.entries(this.#extra), ...values])
  }

  #clearErrors(): void {
    this.#shown.clear()
    this.#refused.clear()
    this.#jsonShown = false
  }
}
