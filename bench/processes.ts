/** Processes beside a benchmark: its own work, and the development chain. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { childEnvironment } from '../tools/core/config.ts'

const reply = z.union([z.object({ result: z.unknown() }), z.object({ failure: z.string() })])

/** The next message of a process. @throws when it ends without one */
function next(child: ChildProcess, name: string): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${name} ended with ${code}`)
  })
  const said = once(child, 'message', { signal }).then(([message]): unknown => message)
  return Promise.race([said, ended]).finally(() => done.abort())
}

/** Asks a process to end, and waits until it has. */
async function end(child: ChildProcess, ask: () => unknown): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  ask()
  await gone
}

export type Child = ReturnType<typeof startChild>

/**
 * Starts a program of this folder that answers requests; it ends with this process, however that ends. Work in a process of its
 * own, so that its memory and its event loop are not those of what is measured.
 * @param execArgv how Node runs it
 */
export function startChild(file: string, execArgv: readonly string[] = []) {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: [...execArgv],
    serialization: 'advanced', // amounts and dates arrive as such
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    /** One request at a time; each gets one answer. @throws what the child failed with, or that it ended */
    async ask(request: object): Promise<unknown> {
      const answer = next(child, 'a process of the benchmark')
      child.send(request)
      const replied = reply.parse(await answer)
      if ('failure' in replied) throw new Error(replied.failure)
      return replied.result
    },
    end: () => end(child, () => child.disconnect()),
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

export type Program = Awaited<ReturnType<typeof startProgram>>

const said = z.union([z.looseObject({ ready: z.literal(true) }), z.object({ fatal: z.string() })])

const ROOT = join(import.meta.dirname, '..')
export const DEVNET_PROGRAM = 'apps/devnet/src/main.ts'

/**
 * Starts a program and waits until it is ready; what it writes is not shown. @throws why it cannot run
 * @param execArgv how Node runs it
 */
export async function startProgram(
  file: string,
  environment: Readonly<Record<string, string>>,
  execArgv: readonly string[] = ['--disable-warning=ExperimentalWarning'],
) {
  const child = fork(join(ROOT, file), {
    env: childEnvironment(environment),
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  for (let isReady = false; !isReady; ) {
    const { data } = said.safeParse(await next(child, file))
    if (data !== undefined && 'fatal' in data) throw new Error(`${file}: ${data.fatal}`)
    isReady = data !== undefined
  }
  return {
    pid: child.pid ?? 0,
    /** Asks it to leave, and waits until it has. */
    stop: () => end(child, () => child.kill('SIGTERM')),
  }
}

/** The auditor, a process beside as in the product: no run is released without its word. */
export const startAuditor = (databaseUrl: string): Promise<Program> =>
  startProgram('apps/auditor/src/main.ts', { DATABASE_URL: databaseUrl, TRON_NETWORK: 'devnet' })

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
