/** Stores what a machine without a network derived. No key is here: what is stored follows from the pinned xpub, by the pinned key's word. */
import type { Database } from '@aval/db/connect'
import { recordAudit } from '../core/audit.sql.ts'
import { findInstallation } from '../core/installation.sql.ts'
import { type AddressFile, addressFileFault } from './address-files.ts'
import { readStock, storeAddresses } from './addresses.sql.ts'
import { findAuditKey, registerAuditKey } from './head.sql.ts'

/** Why nothing was stored, for the person who gave the command. */
export class ImportRefusal extends Error {
  override readonly name = 'ImportRefusal'
}

const BATCH = 1_000

/**
 * @param auditKey in hex, as the offline machine shows it: needed until one is registered, and stays then
 * @returns how many were new; those that are there already are passed by
 * @throws ImportRefusal, and what the database throws; what is stored by then stays, and the import is repeated
 */
export async function importAddresses(
  db: Database,
  file: AddressFile,
  auditKey: string | null,
  now: Date,
): Promise<number> {
  const installation = await findInstallation(db)
  if (installation === null) throw new ImportRefusal('the installation is not set up yet')
  const registered = (await findAuditKey(db))?.toString('hex') ?? null
  const pinned = registered ?? auditKey
  if (pinned === null) {
    throw new ImportRefusal(
      'no audit key is registered: name it with --audit-key, as `npm run keys -- show` says',
    )
  }
  const fault = addressFileFault(file, { ...installation, auditKey: pinned })
  if (fault !== null) throw new ImportRefusal(`nothing is stored: ${fault}`)
  const { derived } = await readStock(db)
  if (BigInt(file.first) > derived) {
    throw new ImportRefusal(`nothing is stored: it begins at ${file.first}, and ${derived} is the next`)
  }
  await registerAuditKey(db, Buffer.from(pinned, 'hex'))
  const added = file.addresses.slice(Number(derived) - file.first)
  for (let start = 0; start < added.length; start += BATCH) {
    await storeAddresses(db, derived + BigInt(start), added.slice(start, start + BATCH))
  }
  const details = { first: String(derived), count: String(added.length) }
  await recordAudit(db, {
    at: now,
    action: 'deposit_addresses.import',
    outcome: 'done',
    subject: 'installation',
    details,
  })
  return added.length
}
