/**
 * `npm run -s signer-address`: the address by which a signer that is a service of its own signs in to the database, as a line for its
 * environment. Needs DATABASE_URL and DATA_DIR of the product, which has been started once.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAddress, withLogin } from '@aval/db/address'
import { loginOf } from '@aval/db/prepare'
import { readStartConfig } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { readSecrets } from './supervisor/secrets.ts'

continueWithOwnNode()
try {
  const { databaseUrl, dataDir } = readStartConfig()
  if (databaseUrl === null)
    throw new Refusal(
      'DATABASE_URL: is missing: the embedded database is for a signer that the product starts.',
    )
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new Refusal(
      `There are no secrets in ${dataDir}: start the product once, and say with DATA_DIR where it runs.`,
    )
  const database = readAddress(databaseUrl).database
  const { database: passwords } = await readSecrets(dataDir)
  console.log(`DATABASE_URL=${withLogin(databaseUrl, loginOf(database, 'signer'), passwords.signer)}`)
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}
