/** The signer as the process it is, started and heard as the supervisor does it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface SignerProcess {
  readonly child: ChildProcess
  /** What it said to the process that started it. */
  readonly told: readonly unknown[]
  /** What it wrote on both outputs so far. */
  output(): string
  /** Waits for the end; the exit code, or the signal. */
  ended(): Promise<number | string | null>
}

export function startSigner(
  env: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
): SignerProcess {
  const child = fork(MAIN, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [...execArgv] })
  const told: unknown[] = []
  const output: string[] = []
  child.on('message', (message) => told.push(message))
  child.stdout?.on('data', (text) => output.push(String(text)))
  child.stderr?.on('data', (text) => output.push(String(text)))
  const end = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null)
  return { child, told, output: () => output.join(''), ended: () => end }
}
