/**
 * Kills every process with -9 at random moments while ten members register and invest, starts everything again, and
 * audits what is left: each transfer credited once, nobody paid twice, the ledger clean.
 *
 * `node e2e/kill.ts --kills 50 --seed 1`; ends with a line of JSON, and 1 when the audit finds a fault.
 */
import { parseArgs } from 'node:util'
import { runKills } from './kill-test.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
const report = await runKills({
  kills: Number.parseInt(values.kills, 10),
  seed: Number.parseInt(values.seed, 10),
  say: (line) => process.stdout.write(`${line}\n`),
})
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exitCode = report.faults.length === 0 ? 0 : 1
