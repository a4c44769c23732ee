/** A child that does one thing and ends: its output goes to a log, its messages to whoever started it. */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Refusal } from '../core/refusal.ts'
import { execArguments } from './children.ts'
import { logFile, openLog } from './logs.ts'

export interface TaskSpec {
  readonly name: string
  /** What it is for, as in "The web app could not be built". */
  readonly failure: string
  readonly entry: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly heapMb: number
}

/** Resolves when it ended with 0. @throws Refusal with one line otherwise. */
export async function runTask(
  spec: TaskSpec,
  dataDir: string,
  started: (child: ChildProcess) => void,
  onMessage: (message: unknown) => void = () => undefined,
): Promise<void> {
  const log = openLog(dataDir, spec.name)
  const child = fork(spec.entry, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    execArgv: execArguments(spec.heapMb),
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  })
  closeSync(log)
  started(child)
  let fatal = ''
  child.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'fatal' in message) fatal = String(message.fatal)
    onMessage(message)
  })
  const reason = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `ended with ${signal ?? `code ${code}`}`))
  })
  if (reason !== '')
    throw new Refusal(`${spec.failure}: ${fatal || reason} (see ${logFile(dataDir, spec.name)})`)
}
