/**
 * Lives through the demo's thirty days with the product's own commands: members register, pay invoices on the development
 * chain, the gateway sees it, the worker credits and pays. Nothing is written behind a command's back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '@aval/db'
import { formatAmount, formatMicro, type Micro, micro, ONE } from '@aval/money'
import { addDays, type Day, dayAt, dayStart } from '@aval/plan'
import type { Context } from '../../core/context.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { activateMaster } from '../genealogy/genealogy.commands.ts'
import { findRoot } from '../genealogy/genealogy.queries.ts'
import { findByUsername } from '../identity/members/members.queries.ts'
import { registerMember } from '../identity/registration/registration.commands.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { assignTotpSecret } from '../identity/second-factor/totp-setup.commands.ts'
import { investBalance } from '../investments/investments.commands.ts'
import { depositAddressOf } from '../investments/investments.queries.ts'
import { createInvoice } from '../investments/invoices.commands.ts'
import { fundPool, runDue } from '../payout-runs/advance.commands.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { askForSums, setBusinessTime } from './demo.commands.ts'
import { countInvestments, countPending, selectCapital } from './demo.sql.ts'
import { DEMO_CAPITAL, DEMO_DAYS, type DemoMember, demoNetwork } from './demo-network.ts'
import { signInSecret } from './demo-secrets.ts'
import { type DevnetCalls, devnetCalls } from './devnet-calls.ts'

const POLL_EVERY_MS = 50
/** Two minutes for what takes one or two seconds. */
const POLLS = 2400
const OPENING_HOURS = 10

const usd = (whole: number): Micro => micro(BigInt(whole) * ONE)

async function until(what: string, happened: () => Promise<boolean>): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    if (await happened()) return
    await pause(POLL_EVERY_MS)
  }
  throw new Error(`waited in vain for ${what}`)
}

async function register(context: Context, member: DemoMember, passwordHash: string, at: Date) {
  const { db } = context
  const known = await findByUsername(db, member.username)
  if (known !== null) return known
  const sponsorId = member.sponsor === null ? await findRoot(db) : await findByUsername(db, member.sponsor)
  if (sponsorId === null) throw new Error(`${member.username} has no sponsor yet`)
  const email = `${member.username}@demo.aval.example`
  const memberId = await registerMember(db, { ...member, email, passwordHash, locale: 'es', sponsorId }, at)
  if (member.isMaster === true) await inTransaction(db, (tx) => activateMaster(tx, sponsorId, memberId, at))
  return memberId
}

/**
 * Makes the demo's operators where there are none yet, each with two-factor. Can be called again, and completes a demo of
 * an earlier version.
 * @returns who they are, and their secrets
 */
export async function enlistOperators(context: Context, passwordHash: string) {
  const { db, clock, config } = context
  const operators: { username: string; memberId: string; totp: string }[] = []
  for (const member of demoNetwork()) {
    if (member.operatorRole === undefined) continue
    const memberId = await register(context, member, passwordHash, await clock.now())
    const secret = signInSecret(config, member.username)
    operators.push({ username: member.username, memberId: String(memberId), totp: secret })
    if (!(await hasSecondFactor(db, memberId))) await assignTotpSecret(context, memberId, secret, new Date())
  }
  return operators
}

/** The company pays in and fills the pools, before the first member can earn anything. */
async function endow(context: Context, devnet: DevnetCalls, now: Date): Promise<void> {
  const { db } = context
  const address = await depositAddressOf(db, HOUSE)
  if ((await selectCapital(db)) === 0n) {
    await devnet.pay(address, formatMicro(usd(DEMO_CAPITAL.paidIn)), 'demo-capital')
    await devnet.solidify()
    await until('the company’s capital', async () => (await selectCapital(db)) > 0n)
  }
  const by = { operatorId: await findByUsername(db, 'olga'), reason: 'Capital inicial' }
  await inTransaction(db, async (tx) => {
    await fundPool(tx, 'profit', usd(DEMO_CAPITAL.profit), 'demo', now, by)
    await fundPool(tx, 'commission', usd(DEMO_CAPITAL.commission), 'demo', now, by)
  })
}

/** Everything that is planned for one day; what an earlier, interrupted seeding did already is left as it is. */
async function liveDay(context: Context, devnet: DevnetCalls, day: number, passwordHash: string, now: Date) {
  const { db } = context
  const paid: string[] = []
  for (const member of demoNetwork()) {
    if (member.joins > day) continue
    const memberId = await register(context, member, passwordHash, now)
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
  const address = await depositAddressOf(context.db, ana)
  await devnet.odd('wrong_token', address, '250')
  await devnet.odd('zero_transfer', address)
  await devnet.odd('failed_transfer', address, '1000')
}

const morningOf = (day: Day, timeZone: string) =>
  new Date(dayStart(day, timeZone).getTime() + OPENING_HOURS * 3_600_000)

/**
 * Makes the demo's network and history, ending at the present. Can be interrupted and called again.
 *
 * @param onDay called after each day
 */
export async function seedDemo(
  context: Context,
  passwordHash: string,
  onDay: (done: number, total: number) => void,
): Promise<void> {
  const { db, clock, config } = context
  if (!config.demo || config.devnetUrl === null)
    throw new Error('the demo lives on the development chain alone')
  const devnet = devnetCalls(config.devnetUrl)
  const present = new Date()
  const { plan } = await planAt(db, present)
  const begun = (await findByUsername(db, 'ana')) !== null
  const reached = begun ? await clock.now() : new Date(0)
  const today = dayAt(present, plan.timeZone)
  for (let day = 0; day < DEMO_DAYS; day += 1) {
    const morning = morningOf(addDays(today, day - DEMO_DAYS), plan.timeZone)
    if (morning > reached) await setBusinessTime(context, morning)
    const now = await clock.now()
    if (day === 0) await endow(context, devnet, now)
    await runDue(db, now)
    await liveDay(context, devnet, day, passwordHash, now)
    if (day === DEMO_DAYS - 1) await leaveOddities(context, devnet)
    onDay(day + 1, DEMO_DAYS)
  }
  await setBusinessTime(context, new Date())
  await runDue(db, await clock.now())
  await askForSums(context)
}
