/**
 * Makes a member an operator, or takes it back: `operator.ts <username> [--renew | --revoke]`, on the database of
 * DATABASE_URL, with two-factor sealed under SEAL_KEY. A new installation has none, and nobody can make themselves one
 * over the wire. `--renew` makes a new two-factor secret, for an operator who lost the phone.
 */
import { parseArgs } from 'node:util'
import { connect } from '@aval/db'
import QRCode from 'qrcode'
import { readDatabaseUrl, readSealKey } from '../config.ts'
import { type Appointed, appoint, dismiss } from '../features/operator/operators.commands.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { revoke: { type: 'boolean', default: false }, renew: { type: 'boolean', default: false } },
})
const [username] = positionals
if (username === undefined || positionals.length !== 1 || (values.renew && values.revoke)) {
  console.error('Say who: npm run operator -- <username> [--renew | --revoke]')
  process.exit(2)
}

async function tell({ setUp }: Appointed): Promise<void> {
  console.log(`${username} is an operator now.`)
  if (setUp === null) {
    console.log('Two-factor is on already: the next sign-in asks for a code.')
    return
  }
  console.log('\nTwo-factor, shown this once: scan it with an authenticator app, or type the secret.\n')
  // Drawn with colours, which mean nothing in a file.
  if (process.stdout.isTTY) console.log(await QRCode.toString(setUp.uri, { type: 'terminal', small: true }))
  console.log(`  secret  ${setUp.secret.replace(/(.{4})(?=.)/g, '$1 ')}`)
  console.log(`  URI     ${setUp.uri}\n`)
  console.log(`Every session of ${username} has ended: sign in again, with a code.`)
}

const connection = connect(readDatabaseUrl(), 1, 'aval-operator')
try {
  const { db } = connection
  const appointed = values.revoke
    ? null
    : await appoint({ db, config: { sealKey: readSealKey() } }, username, values.renew, new Date())
  const known = appointed !== null || (values.revoke && (await dismiss(db, username)))
  if (appointed !== null) await tell(appointed)
  else if (known) console.log(`${username} is no operator any more.`)
  else console.error(`Nobody is called ${username}.`)
  process.exitCode = known ? 0 : 1
} finally {
  await connection.close()
}
