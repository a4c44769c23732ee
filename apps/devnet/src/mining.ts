/** Makes a block every so many milliseconds, never two at once. */
import type { Chain } from './chain/chain.ts'

/**
 * Starts the timer; returns what stops it. An error while making a block is not swallowed: a chain that cannot write
 * must stop.
 */
export function startMining(chain: Chain, blockMs: number): () => Promise<void> {
  let timer: NodeJS.Timeout
  let stopped = false
  const wait = (): void => {
    timer = setTimeout(() => {
      chain.mine().then(() => {
        if (!stopped) wait()
      })
    }, blockMs)
  }
  wait()
  return async () => {
    stopped = true
    clearTimeout(timer)
  }
}
