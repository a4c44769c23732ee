/**
 * Settling outgoing transfers that the solid chain has: withdrawals that were paid or failed, and money that moved between
 * the company's own addresses. Each is booked once, also after a crash: its booking is a row.
 */
import { inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { z } from 'zod'
import { recordAudits } from '../../core/audit.sql.ts'
import type { Context, JobContext } from '../../core/context.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { eachIsolated, lotsIsolated } from '../../core/isolated.ts'
import { lockMember } from '../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { queueMail, queueNotices } from '../mail/mail.commands.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import { announceStages } from './announce.commands.ts'
import { announceUnpaid, loadWithdrawal, type Moment } from './decide.commands.ts'
import type { KnownReason } from './withdrawals.presenter.ts'
import * as store from './withdrawals.sql.ts'

type Config = Context['config']

/** What of a settled transfer did not arrive: the token itself may take a part of every transfer. */
const missingOf = ({ amount, arrived }: Arrival) => micro(amount - (arrived ?? amount))

/** What of a transfer its member is told, and the trail keeps. */
type Arrival = Pick<store.OutgoingTransfer, 'txid' | 'amount' | 'arrived'>

function mailOfPaid(
  config: Config,
  withdrawal: Omit<store.WithdrawalRow, 'from_balance' | 'from_principal' | 'state' | 'approvals_needed'>,
  transfer: Arrival,
  member: { readonly email: string; readonly locale: string },
  { systemNow }: Moment,
) {
  const { member_id: memberId, id, amount, fee, wallet_address: wallet } = withdrawal
  const link = explorerUrl(config, transfer.txid)
  const arrives = transfer.arrived ?? transfer.amount
  const params = {
    ...{ amount: String(amount), fee: String(fee), arrives: String(arrives), wallet, number: String(id) },
    ...{ txid: transfer.txid, at: systemNow, ...(link === null ? {} : { link }) },
  }
  const mail = { memberId, to: member.email, locale: member.locale }
  const event = `withdrawal:${id}:completed`
  return { ...mail, event, template: 'withdrawal_completed', params } as const
}

function recordPaid(
  tx: Tx,
  paid: readonly { readonly id: bigint; readonly transfer: Arrival }[],
  { systemNow: at }: Moment,
): Promise<void> {
  const entry = { at, actorId: null, action: 'withdrawal.complete', outcome: 'done' } as const
  const entries = paid.map(({ id, transfer }) => {
    const short = missingOf(transfer)
    const details = { txid: transfer.txid, ...(short > 0n ? { short: String(short) } : {}) }
    return { subject: `withdrawal:${id}`, details }
  })
  return recordAudits(tx, entry, entries)
}

/** E-mails the member, and records it in the audit trail. */
async function announcePaid(
  config: Config,
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  transfer: store.OutgoingTransfer,
  moment: Moment,
): Promise<void> {
  const member = await store.selectMember(tx, withdrawal.member_id)
  await queueMail(tx, mailOfPaid(config, withdrawal, transfer, member, moment), moment.systemNow)
  await recordPaid(tx, [{ id: withdrawal.id, transfer }], moment)
}

/** Why a transfer that the chain included did not pay. */
const reasonOf = (transfer: store.OutgoingTransfer): KnownReason =>
  transfer.result === 'REVERT'
    ? 'transfer_refused'
    : transfer.result === 'OUT_OF_ENERGY'
      ? 'transfer_out_of_energy'
      : 'transfer_failed'

/**
 * Of a withdrawal: what there is to tell comes first, because postings that leave a wallet wait for each other. @returns why it
 * failed, null where it was paid
 */
async function announceWithdrawal(config: Config, tx: Tx, transfer: store.OutgoingTransfer, moment: Moment) {
  const { member_id: memberId, withdrawal_id: id } = transfer
  if (id === null) throw new Error(`the transfer ${transfer.txid} is of no withdrawal`)
  const withdrawal = await loadWithdrawal(tx, memberId, id)
  if (transfer.state === 'settled') {
    await announcePaid(config, tx, withdrawal, transfer, moment)
    return null
  }
  const reason = reasonOf(transfer)
  await announceUnpaid(tx, withdrawal, 'failed', { by: null, ...moment, reason })
  return reason
}

/** A fee that the token itself took is the company's loss; until the capital covers it, the transfer waits for its booking. */
async function requireCovered(tx: Tx, transfer: store.OutgoingTransfer): Promise<void> {
  const lost = transfer.state === 'settled' ? missingOf(transfer) : 0n
  if (lost > (await guardedBalance(tx, 'company:capital')))
    throw new Error(`${lost} of the transfer ${transfer.txid} did not arrive, and no capital covers it`)
}

/**
 * Books a transfer that the solid chain settled or failed. Safe to call any number of times, concurrently and after a
 * crash; does nothing while the chain has no result.
 * @returns whether it was booked now
 */
export async function settleTransfer(context: Context, txid: string, moment: Moment): Promise<boolean> {
  const { db, config } = context
  return inTransaction(db, async (tx) => {
    const transfer = await store.selectTransfer(tx, txid)
    if (transfer === undefined) throw new Error(`no transfer ${txid} was ever prepared`)
    const { state, purpose, member_id: memberId } = transfer
    if ((state !== 'settled' && state !== 'failed') || purpose === 'trx_topup') return false
    const isMembers = purpose === 'withdrawal'
    if (isMembers) await lockMember(tx, memberId)
    if (await store.selectIsBooked(tx, txid)) return false
    const reason = isMembers
      ? await announceWithdrawal(config, tx, transfer, moment)
      : await requireCovered(tx, transfer).then(() => null)
    return store.bookTransfer(tx, txid, reason, moment.now)
  })
}

/** Books withdrawals that were paid, in one transaction. What comes last is what bookings of others wait for. @returns those that were booked now */
async function bookPaid(
  { config }: Context,
  tx: Tx,
  txids: readonly string[],
  moment: Moment,
): Promise<ReadonlySet<string>> {
  // All members' locks first and in order, as everywhere; with them nobody else books these.
  for (const memberId of await store.selectPaidMembers(tx, txids)) await lockMember(tx, memberId)
  const paid = await store.selectPaid(tx, txids)
  if (paid.length === 0) return new Set()
  const told = paid.map(({ transfer, member, ...withdrawal }) =>
    mailOfPaid(config, withdrawal, transfer, member, moment),
  )
  await queueNotices(tx, told, moment.systemNow)
  await recordPaid(tx, paid, moment)
  return new Set(
    await store.bookTransfers(
      tx,
      paid.map(({ transfer }) => transfer.txid),
      moment.now,
    ),
  )
}

/** Of one transaction: who waits for it waits some hundredths of a second. */
const TOGETHER = 100

/**
 * Books these, withdrawals that were paid many at a time. One that cannot be booked does not stop the others.
 * @returns how many were booked now
 */
export async function settleTransfers(
  context: Context,
  txids: readonly string[],
  moment: Moment,
): Promise<number> {
  let settled = 0
  const alone = async (txid: string) => {
    if (await settleTransfer(context, txid, moment)) settled += 1
  }
  /** What it leaves has failed, moved between the company's own addresses, or was booked before. */
  const together = async (lot: readonly string[]) => {
    if (lot.length === 1) return lot
    const booked = await inTransaction(context.db, (tx) => bookPaid(context, tx, lot, moment))
    settled += booked.size
    return lot.filter((txid) => !booked.has(txid))
  }
  await lotsIsolated(txids, TOGETHER, together, alone)
  return settled
}

/** Books everything that waits, also where its job was lost. */
export async function settleUnbooked(context: Context, moment: Moment): Promise<number> {
  const { db } = context
  await eachIsolated(await store.selectUnopened(db), (address) => store.bookOpening(db, address, moment.now))
  return settleTransfers(context, await store.selectUnbooked(db), moment)
}

const txidShape = z.string().regex(/^[0-9a-f]{64}$/)
/** One of before migration 0042 names one transfer. */
const settlePayload = z.union([
  z.object({ txids: z.array(txidShape).min(1).max(TOGETHER) }).transform(({ txids }) => txids),
  z.object({ txid: txidShape }).transform(({ txid }) => [txid]),
])
const openingPayload = z.object({ address: z.string().max(64) })

export const withdrawalsJobs = (context: JobContext) => {
  const { db, clock, systemNow } = context
  return {
    'custody.book_opening': async (payload: unknown) => {
      const { address } = openingPayload.parse(payload)
      await store.bookOpening(db, address, await clock.now())
      await scheduleCheck(db, systemNow())
    },
    'outgoing_transfers.settle': async (payload: unknown) => {
      const moment = { now: await clock.now(), systemNow: systemNow() }
      await settleTransfers(context, settlePayload.parse(payload), moment)
      await scheduleCheck(db, systemNow())
    },
    'withdrawals.announce': async () => {
      await announceStages(context, { now: await clock.now(), systemNow: systemNow() })
    },
    'outgoing_transfers.catch_up': async () => {
      await settleUnbooked(context, { now: await clock.now(), systemNow: systemNow() })
    },
  }
}
