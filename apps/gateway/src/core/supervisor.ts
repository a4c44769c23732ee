/** The line to the process that started us, when there is one: we say when we are ready, or why we cannot run. */

export function sayReady(): void {
  process.send?.({ ready: true })
}

/** Tells each reason, on the line and on stderr, and ends with exit code 1 once they are out. */
export async function endBecause(reasons: readonly string[], name = 'gateway'): Promise<never> {
  for (const fatal of reasons) {
    process.stderr.write(`${name}: ${fatal}\n`)
    await new Promise<void>((told) => {
      if (process.send === undefined || !process.connected) return told()
      process.send({ fatal }, undefined, {}, () => told())
    })
  }
  process.exit(1)
}

/** Calls back at the first wish that we stop: a signal, or the end of the line to our starter. */
export function onStop(stop: (why: string) => void): void {
  process.once('SIGTERM', () => stop('SIGTERM'))
  process.once('SIGINT', () => stop('SIGINT'))
  process.once('disconnect', () => stop('the starting process is gone'))
}
