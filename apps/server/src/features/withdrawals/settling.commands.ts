/**
 * Booking what the solid chain says: withdrawals that were paid or failed, and money that moved between the company's own
 * addresses. Each transfer once, whatever crashes: its booking is a row.
 */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { recordAudit } from '../../core/audit.sql.ts'
import type { Context } from '../../core/context.ts'
import { eachIsolated } from '../../core/isolated.ts'
import { HOUSE, lockHouse, lockMember, post, selectGuarded } from '../../ledger/ledger.commands.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { close, giveBack, standingOf } from './endings.commands.ts'
import {
  insertBooking,
  type Payment,
  selectCustody,
  selectIsBooked,
  selectPayment,
  selectUnbooked,
  selectUnopened,
} from './settling.sql.ts'
import { type Standing, selectMember } from './withdrawals.sql.ts'
import type { KnownReason } from './withdrawals.words.ts'

type Config = Context['config']

interface Moment {
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
}

/** What of a settled transfer did not arrive: the token itself may take a part of every transfer. */
const missingOf = ({ amount, arrived }: Payment) => micro(amount - (arrived ?? amount))

async function tellPaid(
  config: Config,
  tx: Tx,
  withdrawal: Standing,
  payment: Payment,
  { systemNow }: Moment,
): Promise<void> {
  const { member_id: memberId, id, amount, fee, wallet_address: wallet } = withdrawal
  const member = await selectMember(tx, memberId)
  const link = explorerUrl(config, payment.txid)
  const arrives = payment.arrived ?? payment.amount
  const params = {
    ...{ amount: String(amount), fee: String(fee), arrives: String(arrives), wallet, number: String(id) },
    ...{ txid: payment.txid, at: systemNow, ...(link === null ? {} : { link }) },
  }
  const mail = { memberId, to: member.email, locale: member.locale }
  const event = `withdrawal:${id}:completed`
  await queueMail(tx, { ...mail, event, template: 'withdrawal_completed', params }, systemNow)
}

/**
 * What was held has left: to the member, and the fee to the company. Posted last: whoever posts what left a wallet waits until
 * whoever did so before is through.
 */
async function completeWithdrawal(
  config: Config,
  tx: Tx,
  withdrawal: Standing,
  payment: Payment,
  moment: Moment,
): Promise<bigint> {
  const { member_id: memberId, id, amount, fee } = withdrawal
  await tellPaid(config, tx, withdrawal, payment, moment)
  const short = missingOf(payment)
  await recordAudit(tx, {
    at: moment.systemNow,
    actorId: null,
    action: 'withdrawal.complete',
    outcome: 'done',
    subject: `withdrawal:${id}`,
    details: { txid: payment.txid, ...(short > 0n ? { short: String(short) } : {}) },
  })
  const journal = await post(tx, {
    key: `withdrawal:${id}:settle`,
    kind: 'withdrawal_settle',
    memberId,
    at: moment.now,
    movements: [
      { kind: 'withdraw', amount: micro(amount - fee) },
      { kind: 'withdraw_fee', amount: micro(fee) },
    ],
  })
  const closing = { journalId: journal.id, at: moment.now, reason: null, by: null, txid: payment.txid }
  await close(tx, withdrawal, { state: 'completed', ...closing })
  return journal.id
}

/** The chain took it and it did not pay. */
const reasonOf = (payment: Payment): KnownReason =>
  payment.result === 'REVERT' ? 'transfer_refused' : 'transfer_failed'

async function bookWithdrawal(config: Config, tx: Tx, payment: Payment, moment: Moment): Promise<bigint> {
  const { member_id: memberId, withdrawal_id: id } = payment
  if (id === null) throw new Error(`the transfer ${payment.txid} is of no withdrawal`)
  const withdrawal = await standingOf(tx, memberId, id)
  if (payment.state === 'settled') return completeWithdrawal(config, tx, withdrawal, payment, moment)
  return giveBack(tx, withdrawal, 'failed', { by: null, ...moment, reason: reasonOf(payment) })
}

/**
 * Money between the company's own addresses. What the token took on the way is the company's loss; until its capital covers
 * that, the transfer waits for its booking.
 */
async function bookOwn(tx: Tx, payment: Payment, { now }: Moment): Promise<bigint | null> {
  if (payment.state === 'failed') return null
  const isSweep = payment.purpose === 'sweep'
  const lost = missingOf(payment)
  if (lost > (await selectGuarded(tx, 'company:capital')))
    throw new Error(`${lost} of the transfer ${payment.txid} did not arrive, and no capital covers it`)
  const journal = await post(tx, {
    key: `payment:${payment.txid}`,
    kind: payment.purpose,
    memberId: HOUSE,
    at: now,
    movements: [
      { kind: isSweep ? 'sweep' : 'to_cold', amount: micro(payment.amount - lost) },
      { kind: isSweep ? 'custody_loss_deposits' : 'custody_loss_hot', amount: lost },
    ],
  })
  return journal.id
}

/**
 * Books a transfer that the solid chain settled or failed. Safe to call any number of times, at once and after a crash;
 * does nothing while the chain has not spoken.
 * @returns whether it was booked now
 */
export async function settlePayment(context: Context, txid: string, moment: Moment): Promise<boolean> {
  const { db, config } = context
  return inTransaction(db, async (tx) => {
    const payment = await selectPayment(tx, txid)
    if (payment === undefined) throw new Error(`no transfer ${txid} was ever prepared`)
    const { state, purpose, member_id: memberId } = payment
    if ((state !== 'settled' && state !== 'failed') || purpose === 'trx_topup') return false
    const isMembers = purpose === 'withdrawal'
    await (isMembers ? lockMember(tx, memberId) : lockHouse(tx))
    if (await selectIsBooked(tx, txid)) return false
    const journalId = isMembers
      ? await bookWithdrawal(config, tx, payment, moment)
      : await bookOwn(tx, payment, moment)
    await insertBooking(tx, { txid, journalId, at: moment.now })
    return true
  })
}

/** What one of the company's wallets held before we looked is the company's deposit; once. */
export async function bookOpening(db: Database, address: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockHouse(tx)
    const custody = await selectCustody(tx, address)
    if (custody === undefined) throw new Error(`${address} is no wallet of the company`)
    await post(tx, {
      key: `opening:${address}`,
      kind: 'opening',
      memberId: HOUSE,
      at: now,
      movements: [
        {
          kind: custody.role === 'hot' ? 'company_deposit_hot' : 'company_deposit_cold',
          amount: micro(custody.opening),
        },
      ],
    })
  })
}

/** Books what waits, whether its job is to come or was lost; what cannot be booked keeps nothing else from it. */
export async function settleLeftBehind(context: Context, moment: Moment): Promise<number> {
  const { db } = context
  let settled = 0
  await eachIsolated(await selectUnopened(db), (address) => bookOpening(db, address, moment.now))
  await eachIsolated(await selectUnbooked(db), async (txid) => {
    if (await settlePayment(context, txid, moment)) settled += 1
  })
  return settled
}
