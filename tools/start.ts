/** `npm start`: the whole product in one command. */
import { continueWithOwnNode } from './runtime.ts'
import { product } from './supervisor/layout.ts'
import { runUntilSignal } from './supervisor/signals.ts'

continueWithOwnNode()
await runUntilSignal(product)
