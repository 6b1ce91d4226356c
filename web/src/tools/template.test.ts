import { describe, expect, it } from 'vitest'
import { expandTemplate, templateVariables } from './template'

// The values of RFC 6570, section 3.2.
const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768', empty: '' }

describe('expandTemplate', () => {
  it.each([
    ['demo://greeting/{var}', 'demo://greeting/value'],
    ['{hello}', 'Hello%20World%21'],
    ['{path}/here', '%2Ffoo%2Fbar/here'],
    ['{+path}/here', '/foo/bar/here'],
    ['{#path}', '#/foo/bar'],
    ['a{/x,y}', 'a/1024/768'],
    ['a{.x}', 'a.1024'],
    ['a{;x,y}', 'a;x=1024;y=768'],
    ['a{?x,undef,y}', 'a?x=1024&y=768'],
    ['a?f=1{&x*}', 'a?f=1&x=1024'],
    ['a{undef}b{empty}', 'ab'],
    ['no variables', 'no variables'],
  ])('%s', (template, want) => {
    expect(expandTemplate(template, values)).toBe(want)
  })
})

it('names each variable once', () => {
  expect(templateVariables('x://{a}/{b:3}{?a,c*}')).toEqual(['a', 'b', 'c'])
})
