/**
 * Checks the ledger of the database named by DATABASE_URL, from its sealed parts or, with `--whole`, from its first posting, and the
 * database itself against its migrations; prints figures, and exits 1 when something is wrong.
 */
import { connect, inTransaction } from '@aval/db'
import { readDatabaseUrl } from '../config.ts'
import { findDifferences } from '../features/integrity/integrity.queries.ts'
import { checkLedger, type LedgerReport } from '../ledger/check.ts'

function lines(report: LedgerReport): string[] {
  const width = Math.max(...report.accounts.map(({ amount }) => amount.length), 4)
  const accounts = report.accounts.map(
    ({ account, amount }) => `  ${account.padEnd(18)} ${amount.padStart(width)} USDT`,
  )
  const counts = Object.entries(report.counts).map(
    ([name, count]) => `  ${name.padEnd(18)} ${String(count).padStart(width)}`,
  )
  const verdict =
    report.faults.length === 0
      ? ['The ledger is clean.']
      : [`${report.faults.length} faults:`, ...report.faults.map((fault) => `  ${fault}`)]
  return ['Accounts', ...accounts, 'Counts', ...counts, ...verdict]
}

function integrityLines(differences: readonly string[]): string[] {
  if (differences.length === 0) return ['The database is as its migrations made it.']
  return [
    `${differences.length} differences from what its migrations made:`,
    ...differences.map((line) => `  ${line}`),
  ]
}

const whole = process.argv.includes('--whole')
const begun = performance.now()
/** To the other output, so that the report stays alone in its own. */
function progress(step: number, steps: number): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.error(`  ${step} of ${steps}, after ${seconds} s`)
}

const connection = connect(readDatabaseUrl(), 2, 'aval-ledger-check')
try {
  const report = await checkLedger(connection.db, { whole, readers: 2, ...(whole && { progress }) })
  const differences = await inTransaction(connection.db, findDifferences)
  console.log([...lines(report), ...integrityLines(differences)].join('\n'))
  process.exitCode = report.faults.length + differences.length === 0 ? 0 : 1
} finally {
  await connection.close()
}
