// @vitest-environment jsdom
// DOMPurify is made for real browsers and jsdom; happy-dom parses differently.
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown'

function dom(text: string): HTMLElement {
  const holder = document.createElement('div')
  holder.innerHTML = renderMarkdown(text)
  return holder
}

describe('renderMarkdown', () => {
  it('renders what Markdown is for', () => {
    const html = renderMarkdown('# Title\n\n**bold** `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done')
    for (const part of [
      '<h1>Title</h1>',
      '<strong>bold</strong>',
      '<code>code</code>',
      '<td>1</td>',
      'checkbox',
    ]) {
      expect(html).toContain(part)
    }
  })

  it.each([
    ['```go\nx := 1\n```', 'go', 'x := 1\n'],
    ['```\nplain\n```', '', 'plain\n'],
    ['    indented', '', 'indented\n'],
    ['```<b>x\ny\n```', '<b>x', 'y\n'],
  ])('puts the language above a code block: %s', (text, language, code) => {
    const frame = dom(text).querySelector('.code-frame')
    expect(frame?.querySelector('.code-head')?.textContent).toBe(language)
    expect(frame?.querySelector('pre')?.textContent).toBe(code)
  })

  it('leaves no class of a stranger’s', () => {
    const holder = dom('<p class="code-frame banner">x</p>\n\n<pre class="code-head">y</pre>')
    expect([...holder.querySelectorAll('[class]')].map(({ className }) => className)).toEqual([
      'code-frame',
      'code-head',
    ])
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe src="https://evil.example"></iframe>',
    '<style>body{display:none}</style>',
    '<p style="position:fixed">x</p>',
    '<form action="https://evil.example"><input type="text" name="p"><button>Go</button></form>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '[x](//evil.example)',
    '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
  ])('makes %s harmless', (text) => {
    const holder = dom(text)
    expect(
      holder.querySelector('script, style, iframe, form, button, svg, math, input:not([type=checkbox])'),
    ).toBeNull()
    for (const element of holder.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|style|action|srcset/)
        expect(value).not.toMatch(/javascript:|data:text|^\/\//i)
      }
    }
  })

  it('opens links elsewhere, and tells the other side nothing', () => {
    const link = dom('[x](https://example.org)').querySelector('a')
    expect(link?.getAttribute('target')).toBe('_blank')
    expect(link?.getAttribute('rel')).toContain('noopener')
    expect(dom('[x](/servers)').querySelector('a')?.hasAttribute('target')).toBe(false)
  })

  it('shows our own pictures, and remote ones as links', () => {
    expect(dom('![chart](/api/mcp-media/abc.png)').querySelector('img')?.getAttribute('src')).toBe(
      '/api/mcp-media/abc.png',
    )
    const remote = dom('![chart](https://evil.example/p.png)')
    expect(remote.querySelector('img')).toBeNull()
    expect(remote.querySelector('a')?.textContent).toBe('[picture: chart]')
    expect(dom('![x](/api/mcp-media/../tokens)').querySelector('img')).toBeNull()
    expect(dom('![x](data:image/png;base64,AAAA)').textContent?.trim()).toBe('[picture: x]')
  })
})
