// What a result is made of, sorted for showing.
import { isObject, type Json } from '../lib/json'
import type { Call, Content } from '../lib/wire'
import { fileName } from './address'
import { stripAnsi } from './ansi'
import { countLines } from './fold'

export interface Parts {
  /** structuredContent; undefined when there is none. */
  data: Json | undefined
  /** Every block that says something, in the server's order. */
  blocks: Content[]
  /** The blocks that the data does not repeat: media, links, files. */
  beside: Content[]
  /** What to show first, where there is a choice. */
  first: 'data' | 'text'
}

export function partsOf({ structured, content }: Pick<Call, 'structured' | 'content'>): Parts {
  const data = structured === null || structured === undefined ? undefined : (structured as Json)
  const blocks = content.filter((block) => block.kind !== 'text' || block.text?.trim())
  return {
    data,
    blocks,
    beside: blocks.filter((block) => block.kind !== 'text'),
    first: data === undefined || isWrapped(data, blocks) ? 'text' : 'data',
  }
}

/** Both text and data are there to choose from. */
export function hasChoice({ data, blocks, beside }: Parts): boolean {
  return data !== undefined && blocks.length > beside.length
}

export function isNothing({ data, blocks }: Parts): boolean {
  return data === undefined && blocks.length === 0
}

/** `{"result": "…"}` around the very text that is there, too: what SDKs make of a plain string. */
function isWrapped(data: Json, blocks: Content[]): boolean {
  if (!isObject(data) || Object.keys(data).length !== 1) return false
  const [value] = Object.values(data)
  return typeof value === 'string' && blocks.some((block) => block.text === value)
}

/** The words of an error that fit into one sentence beside a button; "" when they need room. */
export function shortError(content: Content[]): string {
  const texts = content
    .filter((block) => block.kind === 'text')
    .map((block) => stripAnsi(block.text ?? '').trim())
  const text = texts.join('\n')
  return text.length <= 300 && countLines(text) <= 4 && !/^[{[]/.test(text) ? text : ''
}

/** A name for bytes that have none: what they are, with the ending of their file. */
export function mediaName({ kind, name, uri, media }: Content): string {
  const given = name ?? uri?.split(/[?#]/)[0]?.split('/').findLast(Boolean) ?? ''
  const ending = /\.\w+$/.exec(media?.file ?? '')?.[0] ?? ''
  return fileName(given, `${kind === 'resource' ? 'file' : kind}${ending}`)
}

export type BlockView = 'text' | 'image' | 'audio' | 'video' | 'file' | 'link' | 'problem' | 'unknown'

/** How a block is shown: by what it holds, not by what it is called. */
export function viewOf(block: Content): BlockView {
  if (block.problem && block.kind !== 'unknown') return 'problem'
  if (block.media) return mediaView(block.media.mime_type)
  if (block.kind === 'link') return 'link'
  if (block.text !== undefined && (block.kind === 'text' || block.kind === 'resource')) return 'text'
  return 'unknown'
}

/** Kinds that browsers draw in an <img>, where SVG runs no script. */
const pictures = new Set([
  'png',
  'jpeg',
  'jpg',
  'gif',
  'webp',
  'avif',
  'bmp',
  'svg+xml',
  'x-icon',
  'vnd.microsoft.icon',
])

function mediaView(mimeType: string): BlockView {
  const [type = '', subtype = ''] = (mimeType.split(';')[0] ?? '').trim().toLowerCase().split('/')
  if (type === 'image') return pictures.has(subtype) ? 'image' : 'file'
  return type === 'audio' || type === 'video' ? type : 'file'
}
