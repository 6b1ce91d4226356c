// Markdown of strangers (servers, models) as HTML that can't do anything: no script,
// no style, no forms, no pictures but our own media, links checked and marked.
import DOMPurify, { type Config } from 'dompurify'
import { Marked } from 'marked'

const marked = new Marked({ gfm: true, breaks: false })

const config: Config = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'input'],
    ...['strong', 'em', 'del', 'code', 'pre', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  // The class is read for a code block's language, and taken off.
  ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'type', 'checked', 'disabled', 'start', 'align', 'class'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** Addresses that may become links. */
const linkScheme = /^(https?:|mailto:|\/(?!\/)|#)/i
/** The one place where pictures may come from: files that Kontor keeps. */
const ownMedia = /^\/api\/mcp-media\/[\w.-]+$/

/** HTML to be shown by {@html}. It has passed the sanitiser. */
export function renderMarkdown(text: string): string {
  const dirty = marked.parse(text, { async: false })
  const clean = DOMPurify.sanitize(dirty, config) as unknown as DocumentFragment
  for (const link of clean.querySelectorAll('a')) checkLink(link)
  for (const picture of clean.querySelectorAll('img')) checkPicture(picture)
  for (const input of clean.querySelectorAll('input')) {
    // Task lists; anything else that is typed into has no business here.
    if (input.type !== 'checkbox') input.remove()
    else input.disabled = true
  }
  const blocks = [...clean.querySelectorAll('pre')].map((block) => ({ block, language: languageOf(block) }))
  for (const named of clean.querySelectorAll('[class]')) named.removeAttribute('class')
  for (const { block, language } of blocks) frame(block, language)
  const holder = document.createElement('div')
  holder.append(clean)
  return holder.innerHTML
}

/**
 * The text in pieces that can be drawn one by one, so that of a text that grows only the last
 * one is drawn anew. Links defined at the end of the text (`[1]: …`) need it whole.
 */
export function markdownBlocks(text: string): string[] {
  return marked.lexer(text).map(({ raw }) => raw)
}

function checkLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href') ?? ''
  if (!linkScheme.test(href)) {
    link.replaceWith(...link.childNodes)
    return
  }
  if (/^https?:/i.test(href)) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
}

function languageOf(block: HTMLElement): string {
  return /(?:^|\s)language-(\S{1,24})/.exec(block.querySelector('code')?.className ?? '')?.[1] ?? ''
}

/** Puts a code block under a line that says its language; whoever shows it adds what copies it. */
function frame(block: HTMLElement, language: string): void {
  const around = document.createElement('div')
  around.className = 'code-frame'
  const head = document.createElement('div')
  head.className = 'code-head'
  const name = document.createElement('span')
  name.textContent = language
  head.append(name)
  block.replaceWith(around)
  around.append(head, block)
}

/** A picture from elsewhere would tell its host that it is being looked at. */
function checkPicture(picture: HTMLImageElement): void {
  const src = picture.getAttribute('src') ?? ''
  if (ownMedia.test(src)) {
    picture.setAttribute('loading', 'lazy')
    return
  }
  const label = `[picture: ${picture.alt || 'no description'}]`
  if (!/^https?:/i.test(src)) {
    picture.replaceWith(label)
    return
  }
  const link = document.createElement('a')
  link.href = src
  link.textContent = label
  checkLink(link)
  picture.replaceWith(link)
}
