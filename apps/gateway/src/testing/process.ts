/** Starts a program as the supervisor does, and keeps what it reports. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'

export interface StartedProcess {
  readonly child: ChildProcess
  /** Its messages to the process that started it. */
  readonly messages: readonly unknown[]
  /** What it wrote on both outputs so far. */
  output(): string
  /** Waits for the end; the exit code, or the signal. */
  ended(): Promise<number | string | null>
}

/** @param main its file below `src/` */
export function startProcess(
  main: 'main.ts' | 'signer/main.ts',
  env: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
): StartedProcess {
  const file = fileURLToPath(new URL(`../${main}`, import.meta.url))
  // Compiled once for all processes of the tests: half of what a start takes.
  const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }
  const child = fork(file, {
    env: { ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [...execArgv],
  })
  const messages: unknown[] = []
  const output: string[] = []
  child.on('message', (message) => messages.push(message))
  child.stdout?.on('data', (text) => output.push(String(text)))
  child.stderr?.on('data', (text) => output.push(String(text)))
  const end = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null)
  return { child, messages, output: () => output.join(''), ended: () => end }
}

/** For all tests of a file: starts gateways on this database, which are gone when a test ends. */
export function gatewaySuite(databaseUrl: string) {
  const running = new Set<StartedProcess>()
  afterEach(() => {
    for (const { child } of running) child.kill('SIGKILL')
    running.clear()
  })
  return (env: Readonly<Record<string, string>>): StartedProcess => {
    const devnet = { DATABASE_URL: databaseUrl, TRON_NETWORK: 'devnet', POLL_MS: '20' }
    const gateway = startProcess('main.ts', { ...devnet, ...env })
    running.add(gateway)
    return gateway
  }
}
