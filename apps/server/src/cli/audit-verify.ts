/**
 * Verifies the audit trail of the database named by DATABASE_URL, and exits 1 when a row was altered, removed, inserted or moved.
 * `--from-seal N` begins there; `--key HEX` is the signer's public key as its machine shows it.
 */
import { parseArgs } from 'node:util'
import { connect } from '@aval/db'
import { readDatabaseUrl } from '../config.ts'
import { inSnapshot } from '../core/query.sql.ts'
import { type AuditReport, verifyAudit } from '../features/audit/verify.queries.ts'

const { values } = parseArgs({ options: { 'from-seal': { type: 'string' }, key: { type: 'string' } } })
const from = BigInt(/^[1-9]\d{0,17}$/.exec(values['from-seal'] ?? '1')?.[0] ?? 1)

function keyFaults(publicKey: string | null): string[] {
  if (values.key === undefined || values.key === publicKey) return []
  return [`the key that is stored is ${publicKey ?? 'none'}, not ${values.key}`]
}

function lines(report: AuditReport, faults: readonly string[]): string[] {
  const verdict =
    faults.length === 0
      ? ['Nothing was altered, removed, inserted or moved.']
      : [`First fault: ${faults[0]}`, ...faults.slice(1).map((fault) => `  ${fault}`)]
  return [
    `${report.seals} seals over ${report.rows} rows, ${report.erased} of them erased; ${report.unsealed} rows are not sealed yet.`,
    `Signed last: ${report.signedAt?.toISOString() ?? 'not yet'}; the signer's key: ${report.publicKey ?? 'none'}`,
    ...report.warnings.map((warning) => `Warning: ${warning}`),
    ...verdict,
  ]
}

const connection = connect(readDatabaseUrl(), 1, 'aval-audit-verify')
try {
  const report = await inSnapshot(connection.db, (tx) => verifyAudit(tx, from, new Date()))
  const faults = [...report.faults, ...keyFaults(report.publicKey)]
  console.log(lines(report, faults).join('\n'))
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await connection.close()
}
