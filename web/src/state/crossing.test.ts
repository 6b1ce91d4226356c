import { describe, expect, it } from 'vitest'
import { Crossing } from './crossing'

function setUp() {
  const crossing = new Crossing()
  let list: string[] = []
  const answers: ((items: string[]) => void)[] = []
  const read = () =>
    crossing.read(
      () => new Promise<string[]>((resolve) => answers.push(resolve)),
      (items) => (list = items),
    )
  const add = (item: string) => crossing.news(() => (list = [...new Set([...list, item])]))
  return { read, add, answers, list: () => list }
}

describe('Crossing', () => {
  it('keeps news that an answer on its way does not know of', async () => {
    const { read, add, answers, list } = setUp()
    const reading = read()
    add('new')
    expect(list()).toEqual(['new'])
    answers[0]?.(['old'])
    await reading
    expect(list()).toEqual(['old', 'new'])
  })

  it('forgets an answer that a later one overtook', async () => {
    const { read, answers, list } = setUp()
    const readings = [read(), read()]
    answers[1]?.(['second'])
    await readings[1]
    answers[0]?.(['first'])
    await readings[0]
    expect(list()).toEqual(['second'])
  })

  it('puts news of a change over the answer to who asked for it, in readings, too', async () => {
    const crossing = new Crossing()
    let state = ''
    const answers: ((state: string) => void)[] = []
    const ask = () => new Promise<string>((resolve) => answers.push(resolve))
    const reading = crossing.read(ask, (told) => (state = told))
    const adding = crossing.answer(ask, (told) => (state = told))
    crossing.news(() => (state = 'ready'))
    answers[1]?.('connecting')
    expect(await adding).toBe('connecting')
    expect(state).toBe('ready')
    answers[0]?.('unknown')
    await reading
    expect(state).toBe('ready')
  })

  it('repeats nothing to answers that were asked for afterwards', async () => {
    const { read, add, answers, list } = setUp()
    add('gone since')
    const reading = read()
    answers[0]?.([])
    await reading
    expect(list()).toEqual([])
  })
})
