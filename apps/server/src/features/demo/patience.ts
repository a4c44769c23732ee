/** The demo's seeding waits for what other processes do. */
import { setTimeout as pause } from 'node:timers/promises'

const POLL_EVERY_MS = 50
/** Two minutes for what takes one or two seconds. */
const POLLS = 2400

export async function until(what: string, happened: () => Promise<boolean>): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    if (await happened()) return
    await pause(POLL_EVERY_MS)
  }
  throw new Error(`waited in vain for ${what}`)
}
