/**
 * Kills every process with -9 at every step of a withdrawal, from the request to the last message, and looks after each
 * kill whether the chain has exactly one transfer of it, the books are clean, and the member was told once.
 *
 * `node e2e/money-out.ts --rounds 3`; a round is every step with every process. Ends with a line of JSON, and 1 when
 * something is wrong.
 */
import { parseArgs } from 'node:util'
import { arrivals } from './money-out/audit.ts'
import { BOUNDARIES } from './money-out/boundaries.ts'
import { cross, setStage } from './money-out/crossing.ts'
import { VICTIMS } from './money-out/scene.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' } } })
const rounds = Number.parseInt(values.rounds, 10)
const say = (line: string) => process.stdout.write(`${line}\n`)

const stage = await setStage()
const faults: string[] = []
let kills = 0
try {
  for (let round = 1; round <= rounds; round += 1) {
    const member = await stage.newMember()
    const pairs = BOUNDARIES.flatMap((boundary) => VICTIMS.map((victim) => ({ boundary, victim })))
    for (const [place, { boundary, victim }] of pairs.entries()) {
      const began = performance.now()
      const amount = (20 + (place + 1) / 100).toFixed(2)
      const wrong = await cross(stage, boundary, victim, { member, amount })
      kills += 1
      const took = ((performance.now() - began) / 1000).toFixed(1)
      say(
        `round ${round}, ${boundary.name}: ${victim} killed; ${wrong.length === 0 ? 'all well' : 'WRONG'}, ${took} s`,
      )
      faults.push(...wrong.map((fault) => `${boundary.name}, ${victim}: ${fault}`))
    }
    const arrived = await arrivals(stage.scene, member)
    if (arrived !== pairs.length)
      faults.push(`round ${round}: ${pairs.length} withdrawals, ${arrived} transfers`)
  }
} finally {
  await stage.scene.product.remove()
}
say(JSON.stringify({ rounds, kills, faults }))
process.exitCode = faults.length === 0 ? 0 : 1
