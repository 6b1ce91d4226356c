/**
 * News and answers cross each other: an answer that was on its way while news came
 * may not know of it. Here news counts at once, and once more after each answer that
 * it crossed; so it must do no harm a second time.
 */
export class Crossing {
  readonly #underWay = new Set<(() => void)[]>()
  #begun = 0
  #taken = 0

  /** Takes in news. */
  news(take: () => void): void {
    take()
    for (const later of this.#underWay) later.push(take)
  }

  /** Asks for a change, and takes in what was answered, of a part of what is known. */
  async answer<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<T> {
    return this.#crossed(async (meantime) => {
      const answer = await ask()
      const crossed = meantime()
      this.news(() => take(answer))
      for (const news of crossed) this.news(news)
      return answer
    })
  }

  /** Reads all there is, and takes in the answer unless a reading that began later was faster. */
  async read<T>(read: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    const turn = ++this.#begun
    await this.#crossed(async (meantime) => {
      const answer = await read()
      if (turn < this.#taken) return
      this.#taken = turn
      take(answer)
      for (const news of meantime()) news()
    })
  }

  /** Runs it with a function that gives the news of the meantime, and ends the meantime. */
  async #crossed<T>(run: (meantime: () => (() => void)[]) => Promise<T>): Promise<T> {
    const later: (() => void)[] = []
    this.#underWay.add(later)
    try {
      return await run(() => {
        this.#underWay.delete(later)
        return later
      })
    } finally {
      this.#underWay.delete(later)
    }
  }
}
