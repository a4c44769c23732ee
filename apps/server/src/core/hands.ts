/** A number of hands: work that asks for one waits until one is free, in the order in which it asked. */
export interface Hands {
  /** Must not be asked from within work that holds a hand already. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>
  /** How many are at work. */
  busy(): number
}

export function createHands(count: number): Hands {
  const waiting: (() => void)[] = []
  let free = count
  return {
    busy: () => count - free,
    async lend(work) {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}
