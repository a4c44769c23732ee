/** Messages to the process that started this one, if any: ready, or why it cannot run. */

let isReady = false

/** A full disk, or a reader that went away, takes log lines and not the process. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

/** Once, however often it is called. */
export function reportReady(): void {
  if (!isReady) process.send?.({ ready: true })
  isReady = true
}

/** Reports each reason to the parent and on stderr, then exits with code 1. */
export async function exitBecause(reasons: readonly string[], name = 'gateway'): Promise<never> {
  for (const fatal of reasons) {
    process.stderr.write(`${name}: ${fatal}\n`)
    await new Promise<void>((sent) => {
      if (process.send === undefined || !process.connected) return sent()
      process.send({ fatal }, undefined, {}, () => sent())
    })
  }
  process.exit(1)
}

/** Calls back when the process should stop: on a signal, or when the parent is gone. */
export function onStop(stop: (why: string) => void): void {
  process.once('SIGTERM', () => stop('SIGTERM'))
  process.once('SIGINT', () => stop('SIGINT'))
  process.once('disconnect', () => stop('the starting process is gone'))
}
