/** Work in a process of its own, so that its memory and its event loop are not those of what is measured. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'

const reply = z.union([z.object({ result: z.unknown() }), z.object({ failure: z.string() })])

export interface Child {
  /** One request at a time; each gets one answer. @throws what the child failed with, or that it ended */
  ask(request: object): Promise<unknown>
  end(): Promise<void>
}

function next(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      const said = reply.parse(message)
      if ('failure' in said) reject(new Error(said.failure))
      else resolve(said.result)
    })
  })
}

/**
 * Starts a program of this folder that answers requests; it ends with this process, however that ends.
 * @param execArgv how Node runs it
 */
export function startChild(file: string, execArgv: readonly string[] = []): Child {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: [...execArgv],
    serialization: 'advanced', // amounts and dates arrive as such
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    async ask(request) {
      const answer = next(child)
      child.send(request)
      return answer
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.disconnect()
      await gone
    },
  }
}

/** The child's side: answers what the parent asks until the parent is gone. */
export function answerParent(handle: (request: unknown) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', (request) => {
    handle(request).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ failure: String(error instanceof Error ? error.stack : error) }),
    )
  })
}
