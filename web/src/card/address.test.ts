import { describe, expect, it } from 'vitest'
import { fileName, safeHref } from './address'

describe('safeHref', () => {
  it.each([
    ['https://x.example/a', 'https://x.example/a'],
    ['HTTP://x.example', 'http://x.example/'],
    ['mailto:a@x.example', 'mailto:a@x.example'],
    ['javascript:alert(1)', null],
    [' java\nscript:alert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['vscode://x', null],
    ['demo://readme', null],
    ['/api/calls', null],
    ['', null],
  ])('%j', (address, want) => {
    expect(safeHref(address)).toBe(want)
  })
})

describe('fileName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'etc_passwd'],
    ['.bashrc', 'bashrc'],
    ['cod\u202efdp.exe', 'cod_fdp.exe'],
    ['///', 'file'],
    ['', 'file'],
  ])('%j', (name, want) => {
    expect(fileName(name, 'file')).toBe(want)
  })
})
