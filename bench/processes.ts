/** Processes beside a benchmark: its own work, and the development chain. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { childEnvironment } from '../tools/core/config.ts'

const reply = z.union([z.object({ result: z.unknown() }), z.object({ failure: z.string() })])

/** Work in a process of its own, so that its memory and its event loop are not those of what is measured. */
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

export interface Program {
  /** Asks it to leave, and waits until it has. */
  stop(): Promise<void>
}

const said = z.union([z.looseObject({ ready: z.literal(true) }), z.object({ fatal: z.string() })])

const ROOT = join(import.meta.dirname, '..')
export const DEVNET_PROGRAM = 'apps/devnet/src/main.ts'

/** Starts a program and waits until it is ready; what it writes is not shown. @throws why it cannot run */
export async function startProgram(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<Program> {
  const child = fork(join(ROOT, file), {
    env: childEnvironment(environment),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await ready(child, file)
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

function ready(child: ChildProcess, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    child.on('message', (raw) => {
      const { data } = said.safeParse(raw)
      if (data === undefined) return
      if ('fatal' in data) reject(new Error(`${file}: ${data.fatal}`))
      else resolve()
    })
  })
}

/** POSTs to one of the development chain's own calls. @throws what it answers when it does not do it */
export async function askDevnet(url: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
