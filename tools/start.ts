/** `npm start`: the whole product in one command. */
import { ConfigRefusal, readStartConfig, type StartConfig } from './config.ts'
import { continueWithOwnNode } from './runtime.ts'
import { product } from './supervisor/layout.ts'
import { runUntilSignal } from './supervisor/signals.ts'

function readOrExit(): StartConfig {
  try {
    return readStartConfig()
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) throw error
    for (const line of error.lines) console.error(line)
    process.exit(1)
  }
}

continueWithOwnNode()
await runUntilSignal(readOrExit(), product)
