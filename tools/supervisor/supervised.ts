/**
 * Loaded into every process of the product before its own code: it tells the supervisor that the process turns, so that one that hangs
 * is noticed, and lets it outlive the supervisor's end of its output for the moments until it leaves in order.
 */
const ALIVE_EVERY_MS = 15_000

setInterval(() => {
  if (process.connected) process.send?.({ alive: true }, () => undefined)
}, ALIVE_EVERY_MS).unref()
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
