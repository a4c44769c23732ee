/**
 * Checks the whole ledger of the database named by DATABASE_URL, and the database itself against its migrations; prints figures, and
 * exits 1 when something is wrong.
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

const connection = connect(readDatabaseUrl(), 1, 'aval-ledger-check')
try {
  const report = await checkLedger(connection.db)
  const differences = await inTransaction(connection.db, findDifferences)
  console.log([...lines(report), ...integrityLines(differences)].join('\n'))
  process.exitCode = report.faults.length + differences.length === 0 ? 0 : 1
} finally {
  await connection.close()
}
