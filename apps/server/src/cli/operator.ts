/**
 * What the person who runs the installation decides about a member, on the database of DATABASE_URL. Nobody can do it over
 * the wire, and a new installation has neither operators nor fundators.
 *
 * `operator.ts <username> [--role <role>] [--renew | --revoke]` makes an operator, with two-factor sealed under SEAL_KEY, or takes that
 * back. The first one is an admin unless another role is named; every later one needs it named. For an operator `--role` changes it. `--renew` makes
 * a new two-factor secret, for an operator who lost the phone.
 *
 * `--release --how "…"` turns two-factor off for a member who lost the phone and the recovery codes, and says how it was
 * made sure that the member is who asks; it needs JWT_KEY and PUBLIC_URL for the link in the e-mail about it.
 *
 * `--end-sessions --how "…"` ends every session of a member, and says why; the same in the console takes an operator's code. It needs
 * JWT_KEY and PUBLIC_URL, too.
 *
 * `--reopen --how "…"` opens a closed account again, `--email` with another address than it had.
 *
 * `--fundator` makes a fundator, who may promote referrals to master; `--no-fundator` takes that back.
 *
 * `--extra-points <username> <points>` sets what a sponsor gets on top of the plan's first level, in percentage points.
 */
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { emailInput, OPERATOR_ROLES } from '@aval/contract'
import { connect, type Database } from '@aval/db'
import { parseExtraPercent } from '@aval/plan'
import QRCode from 'qrcode'
import { readDatabaseUrl, readLetterConfig, readSealKey } from '../config.ts'
import { endSessionsAtConsole } from '../features/identity/operators/end-sessions.commands.ts'
import {
  type Appointed,
  appoint,
  type Decided,
  dismiss,
  setExtraPoints,
  setFundator,
} from '../features/identity/operators/operators.commands.ts'
import { type Reopened, reopenAccount } from '../features/identity/privacy/reopening.commands.ts'
import { type Release, releaseSecondFactor } from '../features/identity/second-factor/totp-setup.commands.ts'

const USAGE = `Say who, and what: npm run operator -- <username> [--role support|treasurer|compliance|admin] [--renew | --revoke]
                    npm run operator -- <username> --release --how "how you made sure who asks"
                    npm run operator -- <username> --end-sessions --how "why"
                    npm run operator -- <username> --reopen --how "how you made sure who asks" [--email <another>]
                    npm run operator -- --fundator <username>
                    npm run operator -- --no-fundator <username>
                    npm run operator -- --extra-points <username> <percentage points>`
/** Fewer letters say nothing about how somebody was identified, or why sessions end. */
const LEAST = 10

/** What was typed; null where no command reads so. */
function typed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        revoke: { type: 'boolean', default: false },
        renew: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        'end-sessions': { type: 'boolean', default: false },
        reopen: { type: 'boolean', default: false },
        how: { type: 'string', default: '' },
        email: { type: 'string' },
        fundator: { type: 'boolean', default: false },
        'no-fundator': { type: 'boolean', default: false },
        'extra-points': { type: 'boolean', default: false },
      },
    })
  } catch {
    return null
  }
}

function failWith(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}

const { values, positionals } = typed() ?? failWith(USAGE)
const {
  renew,
  revoke,
  release,
  reopen,
  'end-sessions': endsSessions,
  fundator,
  'no-fundator': noFundator,
  'extra-points': extraPoints,
} = values
const [name, points = '', ...others] = positionals
const how = values.how.trim()
const options = [renew, revoke, release, reopen, endsSessions, fundator, noFundator, extraPoints]
const chosen = options.filter(Boolean).length
if (name === undefined || others.length > 0 || chosen > 1) failWith(USAGE)
const isIdentified = release || reopen
if ((points !== '') !== extraPoints || (how !== '' && !isIdentified && !endsSessions)) failWith(USAGE)
if (values.email !== undefined && (!reopen || !emailInput.safeParse(values.email).success)) failWith(USAGE)
const role = OPERATOR_ROLES.find((each) => each === values.role) ?? null
if (values.role !== undefined && (role === null || (chosen > 0 && !renew))) failWith(USAGE)
if (isIdentified && (how.length < LEAST || how.length > 500))
  failWith(`Say with --how, in ${LEAST} to 500 letters, how you made sure that ${name} is who asks.`)
if (endsSessions && (how.length < LEAST || how.length > 200))
  failWith(`Say with --how, in ${LEAST} to 200 letters, why the sessions of ${name} end.`)
const extraPercent = parseExtraPercent(points)
if (extraPoints && extraPercent === null)
  failWith(`${points} is no number of percentage points: 0 to 20, with two decimals at most.`)
const username: string = name

/** Who is at the console: the account of the operating system; `cli` where it has no name. */
function personAtConsole(): string {
  try {
    return userInfo().username
  } catch {
    return 'cli'
  }
}

async function tell({ role: given, setUp }: Appointed): Promise<void> {
  console.log(`${username} is an operator now, with the role ${given}.`)
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

const NOBODY = `Nobody is called ${username}.`
const NEEDED = `Say with --role which one ${username} is to have: ${OPERATOR_ROLES.join(', ')}.`

const RELEASED: Readonly<Record<Release, string>> = {
  released: `Two-factor of ${username} is off, every session has ended, and an e-mail tells ${username} so. No money leaves for the cooling time.`,
  nobody: NOBODY,
  not_on: `${username} has no two-factor: the password is enough to sign in.`,
  operator: `${username} is an operator, who never goes without: give another secret with --renew.`,
}

const REOPENED: Readonly<Record<Reopened, string>> = {
  reopened: `The account of ${username} is open again. Its member chooses a password by e-mail (“Forgot your password?”); no money leaves for the cooling time.`,
  nobody: `No closed account that is kept was called ${username}.`,
  email_taken: `Another member has that e-mail by now: name another one with --email.`,
}

const MADE_FUNDATOR: Readonly<Record<Decided, string>> = {
  changed: `${username} is a fundator now, and may convert referrals to master.`,
  unchanged: `${username} is a fundator already: nothing has changed.`,
  nobody: NOBODY,
}

const NO_FUNDATOR: Readonly<Record<Decided, string>> = {
  changed: `${username} is no fundator any more. The masters that ${username} made stay masters.`,
  unchanged: `${username} is no fundator: nothing has changed.`,
  nobody: NOBODY,
}

const withExtra = (percent: string): Readonly<Record<Decided, string>> => ({
  changed: `${username} gets ${percent} percentage points on top of the plan's first level, from the next commissions on.`,
  unchanged: `${username} gets ${percent} percentage points on top of the plan's first level already: nothing has changed.`,
  nobody: NOBODY,
})

const sessionsEnded = (count: number) =>
  `Sessions of ${username} ended: ${count}. An e-mail tells ${username} so.`

/** Says it, to where it belongs. @returns whether it is as it was asked for */
function say(sentence: string, isDone: boolean): boolean {
  if (isDone) console.log(sentence)
  else console.error(sentence)
  return isDone
}

/** @returns whether it was done, or was so before */
async function run(db: Database): Promise<boolean> {
  const now = new Date()
  const by = personAtConsole()
  if (fundator || noFundator) {
    const decided = await setFundator(db, { username, fundator, by }, now)
    return say((fundator ? MADE_FUNDATOR : NO_FUNDATOR)[decided], decided !== 'nobody')
  }
  if (extraPercent !== null) {
    const decided = await setExtraPoints(db, { username, percent: extraPercent, by }, now)
    return say(withExtra(extraPercent)[decided], decided !== 'nobody')
  }
  if (release) {
    const outcome = await releaseSecondFactor({ db, config: readLetterConfig() }, { username, by, how }, now)
    return say(RELEASED[outcome], outcome === 'released')
  }
  if (endsSessions) {
    const ended = await endSessionsAtConsole(
      { db, config: readLetterConfig() },
      { username, by, reason: how },
      now,
    )
    if (ended === null) return say(NOBODY, false)
    return say(ended === 0 ? `${username} has no open session.` : sessionsEnded(ended), true)
  }
  if (reopen) {
    const outcome = await reopenAccount(db, { username, email: values.email ?? null, by, how }, now)
    return say(REOPENED[outcome], outcome === 'reopened')
  }
  if (revoke) {
    const known = await dismiss(db, { username, by }, now)
    return say(known ? `${username} is no operator any more.` : NOBODY, known)
  }
  const appointed = await appoint(
    { db, config: { sealKey: readSealKey() } },
    { username, by, renew, role },
    now,
  )
  if (appointed === null) return say(NOBODY, false)
  if (appointed.role === null) return say(NEEDED, false)
  await tell(appointed)
  return true
}

const connection = connect(readDatabaseUrl(), 1, 'aval-operator')
try {
  process.exitCode = (await run(connection.db)) ? 0 : 1
} finally {
  await connection.close()
}
