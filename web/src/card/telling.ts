// The one argument that tells most about a call, for its closed card.
import { isBranch, isObject, type Json } from '../lib/json'
import { plainText } from './tree'

/** Names whose value speaks for itself, the most telling first. */
const telling = [
  'command',
  'cmd',
  'sql',
  'query',
  'q',
  'prompt',
  'question',
  'message',
  'text',
  'url',
  'uri',
  'path',
  'file_path',
  'file',
  'filename',
  'title',
  'subject',
  'name',
  'repo',
  'location',
  'city',
  'id',
]

/** Names of what nobody else should see. */
export const secret = /pass(word|phrase|wd)?|secret|token|api_?key|credential|authorization|private_?key/i

const longest = 160

/** `select 1`, `limit: 500`; "" when there is nothing to tell. Never an argument named like a secret. */
export function tellingArgument(args: Json): string {
  if (!isObject(args)) return ''
  const open = Object.entries(args).filter(([name]) => !secret.test(name))
  for (const name of telling) {
    const found = open.find(([key, value]) => key.toLowerCase() === name && isTold(value))
    if (found) return oneLine(plainText(found[1]))
  }
  const first = open.find(([, value]) => isTold(value)) ?? open[0]
  if (!first) return ''
  const [name, value] = first
  return oneLine(
    `${name}: ${isBranch(value) ? (Array.isArray(value) ? `${value.length} items` : '{…}') : plainText(value)}`,
  )
}

function isTold(value: Json): boolean {
  return !isBranch(value) && value !== null && value !== ''
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
