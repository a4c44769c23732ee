/** Where the journeys' product runs: ports and folder follow from the checkout, so that two checkouts never meet. */
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../core/config.ts'

const number = createHash('sha256').update(root).digest().readUInt16BE(0)

export const journeyPort = 20_000 + (number % 4_000) * 3
export const journeyDevnetPort = journeyPort + 1
export const journeyApprovalsPort = journeyPort + 2
export const journeyUrl = `http://localhost:${journeyPort}`
export const journeyApprovalsUrl = `http://localhost:${journeyApprovalsPort}`
export const journeyDevnetUrl = `http://localhost:${journeyDevnetPort}`
export const journeyDataDir = join(tmpdir(), `aval-journeys-${number}`)
/** Of every sign-in of the demo network; the names are in `<journeyDataDir>/demo.json`. */
export const journeyPassword = 'journey-password'
