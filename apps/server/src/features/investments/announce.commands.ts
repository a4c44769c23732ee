/** Tells members of money that arrived and of investments that it made, in the transaction that books them. */
import type { Tx } from '@aval/db'
import { micro } from '@aval/money'
import type { Config } from '../../config.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { mailMember } from '../mail/mail.commands.ts'
import { explorerUrl } from './investments.presenter.ts'
import type { Invested, Received } from './investments.rules.ts'

type Explorer = Pick<Config, 'explorerUrl' | 'devnetUrl'>

const linkOf = (config: Explorer, txid: string) => {
  const link = explorerUrl(config, txid)
  return { txid, ...(link !== null && { link }) }
}

/** @param now system time */
export async function announceInvestment(
  config: Explorer,
  tx: Tx,
  { memberId, name, amount, at, unlocksAt, fee = micro(0n), surplus = micro(0n), txid }: Invested,
  now: Date,
): Promise<void> {
  const { principal } = await balancesOf(tx, memberId)
  const params = {
    ...{ amount: String(amount), principal: String(principal), at, unlocksAt },
    ...(fee > 0n && { fee: String(fee) }),
    ...(surplus > 0n && { surplus: String(surplus) }),
    ...(txid !== undefined && linkOf(config, txid)),
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
  { memberId, txid, position, amount, at, missing, late }: Received,
  now: Date,
): Promise<void> {
  if (amount < SMALLEST_TOLD) return
  const params = {
    ...{ amount: String(amount), at },
    ...(missing !== undefined && { missing: String(missing) }),
    ...(late === true && { late }),
    ...linkOf(config, txid),
  }
  const event = `deposit:${txid}:${position}`
  await mailMember(tx, { memberId, event, template: 'deposit_received', params }, now)
}
