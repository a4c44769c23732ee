/** Checks the whole ledger of the database named by DATABASE_URL, prints figures, and exits 1 when something is wrong. */
import { connect } from '@aval/db'
import { readDatabaseUrl } from '../config.ts'
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

const connection = connect(readDatabaseUrl(), 1, 'aval-ledger-check')
try {
  const report = await checkLedger(connection.db)
  console.log(lines(report).join('\n'))
  process.exitCode = report.faults.length === 0 ? 0 : 1
} finally {
  await connection.close()
}
