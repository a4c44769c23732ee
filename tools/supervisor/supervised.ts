/**
 * Loaded into every process of the product before its own code: it tells the supervisor that the process turns, so that one that hangs
 * is noticed, and what it publishes of its start. It lets it outlive the supervisor's end of its output until it leaves in order.
 */
import { subscribe } from 'node:diagnostics_channel'

const ALIVE_EVERY_MS = 15_000

function tell(message: object): void {
  if (process.connected) process.send?.(message, () => undefined)
}

setInterval(() => {
  tell({ alive: true })
}, ALIVE_EVERY_MS).unref()
subscribe('aval.step', (step) => tell({ step }))
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
