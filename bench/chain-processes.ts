/** The development chain, as the process it is. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { childEnvironment } from '../tools/core/config.ts'

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
