/** Tells members of money that arrived and of investments that it made, in the transaction that books them. */
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { lockedUntil } from '@aval/plan'
import type { Config } from '../../config.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { mailMember } from '../mail/mail.commands.ts'
import { explorerUrl } from './investments.presenter.ts'

type Explorer = Pick<Config, 'explorerUrl' | 'devnetUrl'>

/** An investment that was booked. */
export interface Invested {
  readonly memberId: bigint
  /** Names it among the member's investments: by its invoice, or by its request. */
  readonly name: string
  readonly amount: Micro
  /** Business time; it is locked from then on. */
  readonly at: Date
  readonly lockDays: number
  /** Of one that came by chain. */
  readonly fee?: Micro
  readonly surplus?: Micro
  readonly txid?: string
}

const linkOf = (config: Explorer, txid: string) => {
  const link = explorerUrl(config, txid)
  return { txid, ...(link !== null && { link }) }
}

/** @param now system time */
export async function announceInvestment(
  config: Explorer,
  tx: Tx,
  { memberId, name, amount, at, lockDays, fee = 0n as Micro, surplus = 0n as Micro, txid }: Invested,
  now: Date,
): Promise<void> {
  const { principal } = await balancesOf(tx, memberId)
  const params = {
    ...{ amount: String(amount), principal: String(principal), at },
    unlocksAt: lockedUntil({ from: at, days: lockDays }),
    ...(fee > 0n && { fee: String(fee) }),
    ...(surplus > 0n && { surplus: String(surplus) }),
    ...(txid !== undefined && linkOf(config, txid)),
  }
  const event = `investment:${name}`
  await mailMember(tx, { memberId, event, template: 'investment_credited', params }, now)
}

/** A transfer that made no investment: it went to the balance, or waits for the rest of one. */
export interface Received {
  readonly memberId: bigint
  readonly txid: string
  readonly position: number
  readonly amount: Micro
  /** When the chain had it. */
  readonly at: Date
  /** Of the investment that it is a part of. */
  readonly missing?: Micro
  /** The investment that it was probably meant for had ended. */
  readonly late?: boolean
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
