/**
 * Keeps the ledger's partitions of the database named by DATABASE_URL, as `npm start` does by the hour: made ahead, turned over, sealed and
 * archived. For an installation that `npm start` does not run.
 */
import { openClient } from '@aval/db'
import { keepLedger } from '@aval/db/upkeep'
import { readDatabaseUrl } from '../config.ts'

const owner = openClient(readDatabaseUrl(), { application_name: 'aval-upkeep' })
await owner.connect()
try {
  const lines = await keepLedger(owner, new Date())
  console.log(lines.length === 0 ? 'Nothing was to be done.' : lines.join('\n'))
} finally {
  await owner.end()
}
