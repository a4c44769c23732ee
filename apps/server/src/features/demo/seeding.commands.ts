/**
 * Lives through the demo's thirty days with the product's own commands: members register, pay invoices on the development
 * chain, the gateway sees it, the worker credits and pays. Nothing is written behind a command's back.
 */

import { type OperatorRole, POOLS } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { formatAmount, formatMicro, type Micro, micro, ONE } from '@aval/money'
import { addDays, type Day, dayAt, dayStart } from '@aval/plan'
import type { Context } from '../../core/context.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { readStock } from '../deposit-addresses/deposit-addresses.queries.ts'
import { activateMaster, setPlacementSide } from '../genealogy/genealogy.commands.ts'
import { findRoot } from '../genealogy/genealogy.queries.ts'
import { findByUsername } from '../identity/members/members.queries.ts'
import { appoint } from '../identity/operators/operators.commands.ts'
import { registerMember } from '../identity/registration/registration.commands.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { assignTotpSecret } from '../identity/second-factor/totp-setup.commands.ts'
import { investBalance } from '../investments/investments.commands.ts'
import { claimAddress, createInvoice } from '../investments/invoices.commands.ts'
import { resumeRuns, runDue } from '../payout-runs/advance.commands.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { untilPinned } from './approving.commands.ts'
import { askForSums, setBusinessTime } from './demo.commands.ts'
import { countInvestments, countPending, fillPool, runsRest, selectCapital } from './demo.sql.ts'
import { DEMO_CAPITAL, DEMO_DAYS, DEMO_POOLS, type DemoMember, demoNetwork } from './demo-network.ts'
import { approvalRoles, signInSecret } from './demo-secrets.ts'
import { type DevnetCalls, devnetCalls } from './devnet-calls.ts'
import { until } from './patience.ts'
import { liveStory, OPENING, type Part } from './story.commands.ts'

const OPENING_HOURS = Number(OPENING.split(':')[0])

const usd = (whole: number): Micro => micro(BigInt(whole) * ONE)

async function register(context: Context, member: DemoMember, passwordHash: string, at: Date) {
  const { db } = context
  const known = await findByUsername(db, member.username)
  if (known !== null) return known
  const sponsorId = member.sponsor === null ? await findRoot(db) : await findByUsername(db, member.sponsor)
  if (sponsorId === null) throw new Error(`${member.username} has no sponsor yet`)
  const email = `${member.username}@demo.aval.example`
  const { operatorRole, locale = 'es', ...named } = member
  const memberId = await registerMember(db, { ...named, email, passwordHash, locale, sponsorId }, at)
  if (member.isMaster === true) await inTransaction(db, (tx) => activateMaster(tx, sponsorId, memberId, at))
  if (member.side !== undefined) await setPlacementSide(db, memberId, member.side)
  if (operatorRole !== undefined) await enlist(context, member.username, operatorRole, at)
  return memberId
}

/** Makes a member an operator with two-factor, as the person at the server does. Does nothing where that was done. */
async function enlist(context: Context, username: string, role: OperatorRole, at: Date): Promise<void> {
  const { db, config } = context
  const memberId = await findByUsername(db, username)
  if (memberId === null) throw new Error(`${username} is no member yet`)
  if (!(await hasSecondFactor(db, memberId)))
    await assignTotpSecret(context, memberId, signInSecret(config, username), at)
  await appoint(context, { username, by: 'npm start', renew: false, role }, at)
}

export interface DemoOperator {
  readonly username: string
  readonly as: OperatorRole
  readonly memberId: string
  readonly totp: string
  /** Whether the signer's key file has a secret for approving. */
  readonly approves: boolean
}

/**
 * Makes the demo's operators where there are none yet, each with two-factor. Can be called again, and completes a demo of
 * an earlier version.
 * @returns who they are, and their secrets
 */
export async function enlistOperators(context: Context, passwordHash: string) {
  const { clock, config } = context
  const operators: DemoOperator[] = []
  for (const member of demoNetwork()) {
    const { username, operatorRole: as } = member
    if (as === undefined) continue
    const memberId = await register(context, member, passwordHash, await clock.now())
    await enlist(context, username, as, await clock.now())
    const totp = signInSecret(config, username)
    operators.push({ username, as, memberId: String(memberId), totp, approves: approvalRoles.includes(as) })
  }
  return operators
}

/** The company pays in and has filled pools, before the first member joins: there is nobody yet who could sign it. */
async function endow({ db, clock }: Context, devnet: DevnetCalls): Promise<void> {
  if ((await selectCapital(db)) === 0n) {
    // The signer derives them once it has started, and everybody invests faster than that.
    await until(
      'addresses from the signer',
      async () => (await readStock(db)).unclaimed >= demoNetwork().length,
    )
    const address = await inTransaction(db, (tx) => claimAddress(tx, HOUSE))
    await devnet.pay(address, formatMicro(usd(DEMO_CAPITAL)), 'demo-capital')
    await devnet.solidify()
    await until('the company’s capital', async () => (await selectCapital(db)) > 0n)
  }
  const now = await clock.now()
  for (const pool of POOLS) await fillPool(db, pool, usd(DEMO_POOLS[pool]), now)
}

/** Who joins on a day; who is there is left as they are. */
async function admit(context: Context, day: number, passwordHash: string, now: Date): Promise<void> {
  for (const member of demoNetwork())
    if (member.joins <= day) await register(context, member, passwordHash, now)
}

/** What members invest on a day; what an earlier, interrupted seeding did already is left as it is. */
async function invest(context: Context, devnet: DevnetCalls, day: number, now: Date): Promise<void> {
  const { db } = context
  const paid: string[] = []
  for (const member of demoNetwork().filter(({ invests }) =>
    invests.some((planned) => planned.day === day),
  )) {
    const memberId = await findByUsername(db, member.username)
    if (memberId === null) throw new Error(`${member.username} has not joined`)
    const done = await countInvestments(db, memberId)
    for (const [index, planned] of member.invests.entries()) {
      if (planned.day !== day || index < done) continue
      const amount = usd(planned.amount)
      if (planned.how === 'balance') {
        await inTransaction(db, (tx) => investBalance(tx, memberId, amount, now, `demo-${day}`))
        continue
      }
      const { invoice, address } = await inTransaction(db, (tx) => createInvoice(tx, memberId, amount, now))
      await devnet.pay(address, formatAmount(invoice.amount + invoice.fee), invoice.txn_id)
      paid.push(invoice.txn_id)
    }
  }
  if (paid.length > 0) await devnet.solidify()
  await until(`the payments of day ${day}`, async () => (await countPending(db, paid)) === 0)
}

/** Entries for the operator's list: a token that only looks like ours, and a transfer of nothing. */
async function leaveOddities(context: Context, devnet: DevnetCalls): Promise<void> {
  const ana = await findByUsername(context.db, 'ana')
  if (ana === null) return
  const address = await inTransaction(context.db, (tx) => claimAddress(tx, ana))
  await devnet.odd('wrong_token', address, '250')
  await devnet.odd('zero_transfer', address)
  await devnet.odd('failed_transfer', address, '1000')
}

/** Pays what is due; the auditor, which is a process beside, has its say on every run. */
async function payDue({ db }: Context, now: Date): Promise<void> {
  await runDue(db, now)
  await until('the runs of a day', async () => {
    if (await runsRest(db)) return true
    await resumeRuns(db, now)
    return runsRest(db)
  })
}

const morningOf = (day: Day, timeZone: string) =>
  new Date(dayStart(day, timeZone).getTime() + OPENING_HOURS * 3_600_000)

/** Who hears of how far the seeding is. */
export interface Listeners {
  /** Called after each day. */
  readonly onDay: (done: number, total: number) => void
  /** Asked to let these operators approve, by number. @returns false where the demo's cannot: the key file is somebody's own */
  readonly pinApprovers: (members: readonly string[]) => Promise<boolean>
}

/** Has the signer know those who approve from the first day on. */
async function pin(context: Context, { pinApprovers }: Listeners): Promise<boolean> {
  const roles = demoNetwork().filter(
    ({ operatorRole: role }) => role !== undefined && approvalRoles.includes(role),
  )
  const found = await Promise.all(roles.map(({ username }) => findByUsername(context.db, username)))
  const members = found.filter((id) => id !== null)
  return (await pinApprovers(members.map(String))) && (await untilPinned(context, members).then(() => true))
}

/** Makes the demo's network and history, ending at the present. Can be interrupted and called again. */
export async function seedDemo(context: Context, passwordHash: string, listeners: Listeners): Promise<void> {
  const { db, clock, config } = context
  if (!config.demo || config.devnetUrl === null)
    throw new Error('the demo lives on the development chain alone')
  const devnet = devnetCalls(config.devnetUrl)
  const present = new Date()
  const { plan } = await planAt(db, present)
  const begun = (await findByUsername(db, 'ana')) !== null
  const reached = begun ? await clock.now() : new Date(0)
  const today = dayAt(present, plan.timeZone)
  let approving: Promise<boolean> = Promise.resolve(false)
  const tell = (part: Part) => liveStory({ context, devnet, today, timeZone: plan.timeZone, approving }, part)
  for (let day = 0; day < DEMO_DAYS; day += 1) {
    const morning = morningOf(addDays(today, day - DEMO_DAYS), plan.timeZone)
    if (morning > reached) await setBusinessTime(context, morning)
    const now = await clock.now()
    if (day === 0) await endow(context, devnet)
    await payDue(context, now)
    await admit(context, day, passwordHash, now)
    if (day === 0) approving = pin(context, listeners)
    await tell({ day, when: 'before' })
    await invest(context, devnet, day, now)
    await tell({ day, when: 'after' })
    if (day === DEMO_DAYS - 1) await leaveOddities(context, devnet)
    listeners.onDay(day + 1, DEMO_DAYS)
  }
  await setBusinessTime(context, new Date())
  await payDue(context, await clock.now())
  await tell('present')
  await askForSums(context)
}
