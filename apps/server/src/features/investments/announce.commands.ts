/** Tells members of money that arrived and of investments that it made, in the transaction that books them. */
import type { Tx } from '@aval/db'
import { micro } from '@aval/money'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { mailMember } from '../mail/mail.commands.ts'
import type { Expired, Invested, Received } from './investments.rules.ts'
import { selectPayments } from './investments.sql.ts'
import type { Tell } from './invoices.commands.ts'

type Explorer = Pick<Config, 'explorerUrl' | 'devnetUrl'>

const linkOf = (config: Explorer, txid: string) => {
  const link = explorerUrl(config, txid)
  return { txid, ...(link !== null && { link }) }
}

/** By e-mail. @param now system time */
export const mailOf =
  (config: Explorer, now: Date): Tell =>
  (tx, became) => {
    if ('invested' in became) return announceInvestment(config, tx, became.invested, now)
    if ('received' in became) return announceDeposit(config, tx, became.received, now)
    return announceExpiry(tx, became.expired, now)
  }

const MOST_PAYMENTS_LISTED = 20

/** Of an investment that more than one payment made: each of them, and what the balance added. */
async function paymentsOf(
  tx: Tx,
  { memberId, name, amount, fee = micro(0n), surplus = micro(0n) }: Invested,
) {
  const came = await selectPayments(tx, memberId, name)
  const fromBalance = amount + fee + surplus - came.reduce((sum, payment) => sum + payment.amount, 0n)
  if (came.length === 0 || (came.length === 1 && fromBalance === 0n)) return {}
  const payments = came
    .slice(0, MOST_PAYMENTS_LISTED)
    .map((payment) => ({ amount: String(payment.amount), txid: payment.txid }))
  return { payments, ...(fromBalance > 0n && { fromBalance: String(fromBalance) }) }
}

/** @param now system time */
export async function announceInvestment(
  config: Explorer,
  tx: Tx,
  invested: Invested,
  now: Date,
): Promise<void> {
  const { memberId, name, amount, at, unlocksAt, fee = micro(0n), surplus = micro(0n), txid } = invested
  const { principal } = await balancesOf(tx, memberId)
  const params = {
    ...{ amount: String(amount), principal: String(principal), at, unlocksAt },
    ...(fee > 0n && { fee: String(fee) }),
    ...(surplus > 0n && { surplus: String(surplus) }),
    ...(txid !== undefined && linkOf(config, txid)),
    ...(await paymentsOf(tx, invested)),
  }
  const event = `investment:${name}`
  await mailMember(tx, { memberId, event, template: 'investment_credited', params }, now)
}

/** Less is not told: a grain of dust costs a stranger little, and its mail would be the stranger's. */
const SMALLEST_TOLD = 1_000_000n

/** @param now system time */
export async function announceDeposit(
  config: Explorer,
  tx: Tx,
  { memberId, txid, position, amount, at, missing, until, late }: Received,
  now: Date,
): Promise<void> {
  if (amount < SMALLEST_TOLD) return
  const params = {
    ...{ amount: String(amount), at },
    ...(missing !== undefined && { missing: String(missing), until }),
    ...(late === true && { late }),
    ...linkOf(config, txid),
  }
  const event = `deposit:${txid}:${position}`
  await mailMember(tx, { memberId, event, template: 'deposit_received', params }, now)
}

/** @param now system time */
async function announceExpiry(
  tx: Tx,
  { memberId, name, amount, toBalance, at }: Expired,
  now: Date,
): Promise<void> {
  if (toBalance < SMALLEST_TOLD) return
  const params = { amount: String(amount), toBalance: String(toBalance), at }
  await mailMember(
    tx,
    { memberId, event: `invoice:${name}:expired`, template: 'investment_expired', params },
    now,
  )
}
