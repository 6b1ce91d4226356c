import { describe, expect, it } from 'vitest'
import { argsText, joinWords, parseArgs, parseCommandLine, splitWords } from './command'

describe('splitWords', () => {
  it.each<[string, string[] | null]>([
    ['npx -y pkg', ['npx', '-y', 'pkg']],
    ['  a\t b\n', ['a', 'b']],
    [`echo "two words" 'and $three'`, ['echo', 'two words', 'and $three']],
    [`a"b c"d`, ['ab cd']],
    [`""  ''`, ['', '']],
    [String.raw`say "a \"quote\" and \n"`, ['say', String.raw`a "quote" and \n`]],
    [String.raw`a\ b c`, ['a b', 'c']],
    [String.raw`C:\tools\node.exe server.js`, [String.raw`C:\tools\node.exe`, 'server.js']],
    ['npx \\\n  pkg', ['npx', 'pkg']],
    [`it's`, null],
    ['', []],
  ])('%j', (line, want) => {
    expect(splitWords(line)).toEqual(want)
  })

  it('reads back what joinWords wrote', () => {
    const words = ['a', 'b c', `it's "so"`, '', 'x\\y', '$HOME']
    expect(splitWords(joinWords(words))).toEqual(words)
  })
})

describe('parseCommandLine', () => {
  it('takes assignments in front of the program as environment', () => {
    expect(parseCommandLine('$ TOKEN="a b" DEBUG= npx -y pkg --x=1')).toEqual({
      env: { TOKEN: 'a b', DEBUG: '' },
      command: 'npx',
      args: ['-y', 'pkg', '--x=1'],
    })
  })

  it.each(['', '   ', 'A=b', `npx "open`])('finds no program in %j', (line) => {
    expect(parseCommandLine(line)).toBeNull()
  })
})

describe('arguments, one on each line', () => {
  it.each<[string[], string]>([
    [['-y', 'two words'], '-y\ntwo words'],
    [['', ' x', 'a\nb', '"q"'], '""\n" x"\n"a\\nb"\n"\\"q\\""'],
    [['{"a":1}', '"open'], '{"a":1}\n"open'],
  ])('%j', (args, text) => {
    expect(argsText(args)).toBe(text)
    expect(parseArgs(text)).toEqual(args)
  })

  it('drops blank lines and carriage returns', () => {
    expect(parseArgs('a\r\n\r\n  \nb\n')).toEqual(['a', 'b'])
  })
})
