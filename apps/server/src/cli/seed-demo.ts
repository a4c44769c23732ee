/**
 * Fills the local demo with its network and its thirty days, and tells the sign-ins. The parent process is sent
 * `{progress}` lines and `{signIns}`; the sign-ins are kept in `demo.json` of the data folder, which says that it is done.
 */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '@aval/db'
import { readConfig, readDemoPassword } from '../config.ts'
import { demoClock } from '../core/clock.ts'
import { hashPassword } from '../features/accounts/passwords.ts'
import { seedDemo } from '../features/demo/seeding.commands.ts'

const config = readConfig()
const password = readDemoPassword()
const connection = connect(config.databaseUrl, 4, 'aval-seed-demo')
const context = { db: connection.db, clock: demoClock(connection.db), config }

try {
  const passwordHash = await hashPassword(password)
  await seedDemo(context, passwordHash, (done, total) => {
    process.send?.({ progress: { done, total, label: 'days of demo history' } })
  })
  const signIns = [
    { role: 'member', username: 'ana', password },
    { role: 'fundator', username: 'luis', password },
    { role: 'operator', username: 'olga', password },
  ]
  const file = join(config.dataDir, 'demo.json')
  await writeFile(`${file}.new`, `${JSON.stringify({ signIns }, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  process.send?.({ signIns })
} finally {
  await connection.close()
}
if (process.connected) process.disconnect()
