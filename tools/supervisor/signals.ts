import { ConfigRefusal, readStartConfig, type StartConfig } from '../config.ts'
import type { Layout } from './layout.ts'
import { terminalScreen } from './screen.ts'
import { Run } from './supervise.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal stops in order (exit code 0), the second at once. */
export async function runUntilSignal(layout: Layout): Promise<void> {
  const screen = terminalScreen()
  const run = new Run(readOrExit(), layout, screen)
  let signals = 0
  for (const name of stopSignals) {
    process.on(name, () => {
      signals += 1
      if (signals === 1) return run.requestStop()
      screen.error('Stopped at once; the next start recovers.')
      run.force()
      process.exit(130)
    })
  }
  process.on('unhandledRejection', (error) => {
    screen.error(String(error))
    run.force()
    process.exit(1)
  })
  process.exit(await run.run())
}

function readOrExit(): StartConfig {
  try {
    return readStartConfig()
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) throw error
    for (const line of error.lines) console.error(line)
    process.exit(1)
  }
}
