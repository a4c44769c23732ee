import { ConfigRefusal, readStartConfig, type StartConfig } from '../core/config.ts'
import type { Layout } from './layout.ts'
import { terminalScreen } from './screen.ts'
import { Run } from './supervise.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C arrives twice in one moment under npm: from the terminal, and passed on by npm. */
const sameMomentMs = 500

/** The first signal stops in order (exit code 0), a second one at once. */
export async function runUntilSignal(layout: Layout): Promise<void> {
  const screen = terminalScreen()
  const run = new Run(readOrExit(), layout, screen)
  let first = 0
  for (const name of stopSignals) {
    process.on(name, () => {
      if (first === 0) {
        first = Date.now()
        return run.requestStop()
      }
      if (Date.now() - first < sameMomentMs) return
      screen.error('Stopped at once; the next start recovers.')
      run.force()
      process.exit(130)
    })
  }
  // It would open a debugger in the process that has every secret; any process of this user can send it.
  process.on('SIGUSR1', () => undefined)
  process.on('unhandledRejection', (error) => {
    screen.error(String(error))
    run.force()
    process.exit(1)
  })
  process.exit(await run.run())
}

function readOrExit(): StartConfig {
  try {
    return readStartConfig(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) throw error
    for (const line of error.lines) console.error(line)
    process.exit(1)
  }
}
