/**
 * Makes a member an operator, or takes it back: `operator.ts <username> [--renew | --revoke]`, on the database of
 * DATABASE_URL, with two-factor sealed under SEAL_KEY. A new installation has none, and nobody can make themselves one
 * over the wire. `--renew` makes a new two-factor secret, for an operator who lost the phone.
 *
 * `--release --how "…"` turns two-factor off for a member who lost the phone and the recovery codes, and says how it was
 * made sure that the member is who asks; it needs JWT_KEY and PUBLIC_URL for the link in the e-mail about it.
 */
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { connect, type Database } from '@aval/db'
import QRCode from 'qrcode'
import { readDatabaseUrl, readLetterConfig, readSealKey } from '../config.ts'
import { type Appointed, appoint, dismiss } from '../features/identity/operators/operators.commands.ts'
import { type Release, releaseSecondFactor } from '../features/identity/second-factor/totp-setup.commands.ts'

const USAGE = `Say who, and what: npm run operator -- <username> [--renew | --revoke]
                    npm run operator -- <username> --release --how "how you made sure who asks"`
/** Fewer letters say nothing about how somebody was identified. */
const LEAST = 10

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    revoke: { type: 'boolean', default: false },
    renew: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
    how: { type: 'string', default: '' },
  },
})
const [name, ...others] = positionals
const how = values.how.trim()
const deeds = [values.renew, values.revoke, values.release].filter(Boolean).length
if (name === undefined || others.length > 0 || deeds > 1 || (how !== '' && !values.release)) {
  console.error(USAGE)
  process.exit(2)
}
if (values.release && (how.length < LEAST || how.length > 500)) {
  console.error(`Say with --how, in ${LEAST} to 500 letters, how you made sure that ${name} is who asks.`)
  process.exit(2)
}
const username: string = name

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

const nobody = () => `Nobody is called ${username}.`

const RELEASED: Readonly<Record<Release, () => string>> = {
  released: () =>
    `Two-factor of ${username} is off, every session has ended, and an e-mail tells ${username} so. No money leaves for the cooling time.`,
  nobody,
  not_on: () => `${username} has no two-factor: the password is enough to sign in.`,
  operator: () => `${username} is an operator, who never goes without: give another secret with --renew.`,
}

/** @returns whether it was done */
async function run(db: Database): Promise<boolean> {
  const now = new Date()
  if (values.release) {
    const config = readLetterConfig()
    const by = userInfo().username
    const outcome = await releaseSecondFactor({ db, config }, { username, by, how }, now)
    const sentence = RELEASED[outcome]()
    if (outcome === 'released') console.log(sentence)
    else console.error(sentence)
    return outcome === 'released'
  }
  if (values.revoke) {
    const known = await dismiss(db, username)
    if (known) console.log(`${username} is no operator any more.`)
    else console.error(nobody())
    return known
  }
  const appointed = await appoint({ db, config: { sealKey: readSealKey() } }, username, values.renew, now)
  if (appointed === null) console.error(nobody())
  else await tell(appointed)
  return appointed !== null
}

const connection = connect(readDatabaseUrl(), 1, 'aval-operator')
try {
  process.exitCode = (await run(connection.db)) ? 0 : 1
} finally {
  await connection.close()
}
