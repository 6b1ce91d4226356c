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

  /** Reads, and takes in the answer unless a reading that began later was faster. */
  async read<T>(read: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    const turn = ++this.#begun
    const later: (() => void)[] = []
    this.#underWay.add(later)
    try {
      const answer = await read()
      if (turn < this.#taken) return
      this.#taken = turn
      take(answer)
      for (const again of later) again()
    } finally {
      this.#underWay.delete(later)
    }
  }
}
