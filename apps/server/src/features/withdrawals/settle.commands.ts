/**
 * Settling outgoing transfers that the solid chain has: withdrawals that were paid or failed, and money that moved between
 * the company's own addresses. Each is booked once, also after a crash: its booking is a row.
 */
import { inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { z } from 'zod'
import { recordAudit } from '../../core/audit.sql.ts'
import type { Context, JobContext } from '../../core/context.ts'
import { eachIsolated } from '../../core/isolated.ts'
import { lockMember } from '../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import { announceStages } from './announce.commands.ts'
import { announceUnpaid, loadWithdrawal, type Moment } from './decide.commands.ts'
import type { KnownReason } from './withdrawals.presenter.ts'
import * as store from './withdrawals.sql.ts'

type Config = Context['config']

/** What of a settled transfer did not arrive: the token itself may take a part of every transfer. */
const missingOf = ({ amount, arrived }: store.OutgoingTransfer) => micro(amount - (arrived ?? amount))

async function notifyPaid(
  config: Config,
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  transfer: store.OutgoingTransfer,
  { systemNow }: Moment,
): Promise<void> {
  const { member_id: memberId, id, amount, fee, wallet_address: wallet } = withdrawal
  const member = await store.selectMember(tx, memberId)
  const link = explorerUrl(config, transfer.txid)
  const arrives = transfer.arrived ?? transfer.amount
  const params = {
    ...{ amount: String(amount), fee: String(fee), arrives: String(arrives), wallet, number: String(id) },
    ...{ txid: transfer.txid, at: systemNow, ...(link === null ? {} : { link }) },
  }
  const mail = { memberId, to: member.email, locale: member.locale }
  const event = `withdrawal:${id}:completed`
  await queueMail(tx, { ...mail, event, template: 'withdrawal_completed', params }, systemNow)
}

/** E-mails the member, and records it in the audit trail. */
async function announcePaid(
  config: Config,
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  transfer: store.OutgoingTransfer,
  moment: Moment,
): Promise<void> {
  await notifyPaid(config, tx, withdrawal, transfer, moment)
  const short = missingOf(transfer)
  await recordAudit(tx, {
    at: moment.systemNow,
    actorId: null,
    action: 'withdrawal.complete',
    outcome: 'done',
    subject: `withdrawal:${withdrawal.id}`,
    details: { txid: transfer.txid, ...(short > 0n ? { short: String(short) } : {}) },
  })
}

/** Why a transfer that the chain included did not pay. */
const reasonOf = (transfer: store.OutgoingTransfer): KnownReason =>
  transfer.result === 'REVERT' ? 'transfer_refused' : 'transfer_failed'

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

/** Books everything that waits, also where its job was lost. One that cannot be booked does not stop the others. */
export async function settleUnbooked(context: Context, moment: Moment): Promise<number> {
  const { db } = context
  let settled = 0
  await eachIsolated(await store.selectUnopened(db), (address) => store.bookOpening(db, address, moment.now))
  await eachIsolated(await store.selectUnbooked(db), async (txid) => {
    if (await settleTransfer(context, txid, moment)) settled += 1
  })
  return settled
}

const settlePayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/) })
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
      const { txid } = settlePayload.parse(payload)
      await settleTransfer(context, txid, { now: await clock.now(), systemNow: systemNow() })
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
