/** `npm start`: the whole product in one command. */
import { continueWithOwnNode } from './runtime.ts'

continueWithOwnNode()
// Said before the rest is loaded, which takes half a minute on a busy machine.
console.log('Aval is starting …')
const [{ product }, { runUntilSignal }] = await Promise.all([
  import('./supervisor/layout.ts'),
  import('./supervisor/signals.ts'),
])
await runUntilSignal(product)
