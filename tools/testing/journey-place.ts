/**
 * Where the journeys' product runs: ports and folder follow from the checkout, so that two checkouts never meet. With `JOURNEYS_ON` it is
 * the product that runs in that data folder already.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { givenJourneyProduct, root } from '../core/config.ts'

const number = createHash('sha256').update(root).digest().readUInt16BE(0)
const firstPort = 20_000 + (number % 4_000) * 3

const runFile = z.object({
  ports: z.object({ web: z.number(), devnet: z.number(), approvals: z.number() }),
})
const demoFile = z.object({ signIns: z.array(z.object({ password: z.string() })).min(1) })

/** What runs in a data folder says so in files there. */
function placeOf(dataDir: string) {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, name), 'utf8'))
  const [signIn] = demoFile.parse(read('demo.json')).signIns
  return { dataDir, ports: runFile.parse(read('run.json')).ports, password: signIn?.password ?? '' }
}

const given = givenJourneyProduct()
/** Whether it runs already, and goes on running. */
export const isGiven = given !== undefined

const place =
  given === undefined
    ? {
        dataDir: join(tmpdir(), `aval-journeys-${number}`),
        ports: { web: firstPort, devnet: firstPort + 1, approvals: firstPort + 2 },
        password: 'journey-password',
      }
    : placeOf(resolve(given))

export const journeyPort = place.ports.web
export const journeyDevnetPort = place.ports.devnet
export const journeyApprovalsPort = place.ports.approvals
export const journeyUrl = `http://localhost:${journeyPort}`
export const journeyApprovalsUrl = `http://localhost:${journeyApprovalsPort}`
export const journeyDevnetUrl = `http://localhost:${journeyDevnetPort}`
export const journeyDataDir = place.dataDir
/** Of every sign-in of the demo network; the names are in `<journeyDataDir>/demo.json`. */
export const journeyPassword = place.password
