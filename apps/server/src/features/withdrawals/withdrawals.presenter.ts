import {
  type Locale,
  type QueuedWithdrawal,
  WITHDRAWAL_DELAYS,
  WITHDRAWAL_RISKS,
  type Withdrawal,
  type WithdrawalDossier,
  type WithdrawalTerms,
  withdrawalDue,
} from '@aval/contract'
import { formatAmount } from '@aval/money'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { presentLocked } from '../../core/locked.rules.ts'
import { type Reader, say } from '../../core/messages.ts'
import { asSentence } from '../../core/sentence.rules.ts'
import type { ExportColumn } from '../../http/exported-text.ts'
import type { Dossier, QueuedWithdrawalRow } from './withdrawals.operator.queries.ts'
import type { ShownWithdrawal, Terms, View } from './withdrawals.queries.ts'
import {
  confirmationsOf,
  marksIn,
  type Progress,
  shownTxid,
  stageOf,
  statusOf,
  timelineOf,
} from './withdrawals.rules.ts'

/** Stable names of reasons that no operator wrote. */
const REASONS = {
  not_me: 'withdrawal_reason_not_me',
  transfer_refused: 'withdrawal_reason_transfer_refused',
  transfer_out_of_energy: 'withdrawal_reason_transfer_out_of_energy',
  transfer_failed: 'withdrawal_reason_transfer_failed',
} as const
export type KnownReason = keyof typeof REASONS

const isKnown = (reason: string): reason is KnownReason => Object.hasOwn(REASONS, reason)

/** A stored reason as it is shown: a sentence for what has a name, else the operator's own words. */
export function sayReason(locale: Locale, reason: string | null): string | null {
  if (reason === null) return null
  return isKnown(reason) ? say(locale, REASONS[reason]) : reason
}

/** A withdrawal's progress, as the rules read it. */
function progressOf(row: ShownWithdrawal): Progress {
  const { txid, transfer_state: state } = row
  const transfer =
    txid === null || state === null
      ? null
      : {
          txid,
          state,
          signedAt: row.signed_at,
          broadcastAt: row.broadcast_at,
          seenAt: row.seen_at,
          seenBlock: row.seen_block,
          block: row.block,
          blockAt: row.block_at,
        }
  return {
    state: row.state,
    requestedAt: row.requested_at,
    approvedAt: row.approved_at,
    closedAt: row.closed_at,
    transfer,
  }
}

function dueOf({ closed_at: closed, frozen, requested_at }: ShownWithdrawal, now: Date): Withdrawal['due'] {
  if (closed !== null || frozen) return null
  const { at, ...due } = withdrawalDue(requested_at, now)
  return { at: at.toISOString(), ...due }
}

/** A row of GET withdrawals/withdrawals/. */
export function presentWithdrawal(
  config: Config,
  row: ShownWithdrawal,
  view: View,
  reader: Reader,
): Withdrawal {
  const progress = progressOf(row)
  const txid = shownTxid(progress)
  const confirmations = confirmationsOf(progress, view.head, config.confirmsNeeded)
  return {
    id: Number(row.id),
    amount: formatAmount(row.amount),
    fee: formatAmount(row.fee),
    arrives: formatAmount(row.amount - row.fee),
    from_balance: formatAmount(row.from_balance),
    from_principal: formatAmount(row.from_principal),
    date: row.requested_at.toISOString(),
    payed_date: row.state === 'completed' ? (row.closed_at?.toISOString() ?? null) : null,
    status: statusOf(row.state),
    stage: stageOf(progress),
    confirmations: confirmations === null ? null : Number(confirmations),
    confirms_needed: config.confirmsNeeded,
    payment_link: explorerUrl(config, txid),
    txid,
    wallet_address: row.wallet_address,
    reason: sayReason(reader.locale, row.reason),
    timeline: timelineOf(progress, view.ahead, view.now).map(({ stage, at }) => ({
      stage,
      at: at.toISOString(),
    })),
    due: dueOf(row, view.now),
    can_cancel: row.state === 'requested',
  }
}

function presentQuote(
  quote: NonNullable<Terms['quote']>,
  fee: bigint,
  reader: Reader,
): NonNullable<WithdrawalTerms['quote']> {
  const { refusal } = quote
  return {
    amount: formatAmount(quote.amount),
    fee: formatAmount(fee),
    arrives: formatAmount(quote.arrives),
    from_balance: formatAmount(quote.fromBalance),
    from_principal: formatAmount(quote.fromPrincipal),
    problem:
      refusal === null ? null : { code: refusal.code, detail: say(reader, refusal.code, refusal.params) },
  }
}

/** GET withdrawals/terms/ */
export function presentTerms(terms: Terms, reader: Reader): WithdrawalTerms {
  const { funds, quote } = terms
  const { minimum, fee, dailyLimit } = funds.plan.withdrawals
  return {
    balance: formatAmount(funds.spendable),
    unlocked_principal: formatAmount(funds.unlocked),
    principal_unlocks_at: funds.lock.unlocksAt?.toISOString() ?? null,
    locked: presentLocked(funds.lock),
    available: formatAmount(funds.spendable + funds.unlocked),
    minimum: formatAmount(minimum),
    fee: formatAmount(fee),
    daily_limit: formatAmount(dailyLimit),
    left_today: formatAmount(terms.leftToday),
    day_turns_at: funds.dayTurnsAt.toISOString(),
    cools_until: terms.coolsUntil?.toISOString() ?? null,
    paused: terms.paused,
    frozen: terms.frozen === null ? null : asSentence(terms.frozen),
    wallet_address: terms.wallet,
    needs_otp: terms.needsOtp,
    code_first: terms.codeFirst,
    ...(quote === null ? {} : { quote: presentQuote(quote, fee, reader) }),
  }
}

/** The operator who asks, and what withdrawals are shown against. */
export interface OperatorView {
  readonly config: Config
  readonly view: View
  readonly operatorId: bigint
  readonly reader: Reader
}

/** What of a settled transfer did not arrive; null when all of it did, or nothing is settled. */
function shortBy({ transfer_state: state, sent, arrived }: QueuedWithdrawalRow): string | null {
  if (state !== 'settled' || sent === null || arrived === null || arrived >= sent) return null
  return formatAmount(sent - arrived)
}

function delayOf(row: QueuedWithdrawalRow): QueuedWithdrawal['delay'] {
  const code = WITHDRAWAL_DELAYS.find((name) => name === row.delay)
  if (code === undefined || row.delay_since === null) return null
  return { code, detail: row.delay_detail ?? '', since: row.delay_since.toISOString() }
}

/** A row of GET operator/withdrawals/. */
export function presentQueued(row: QueuedWithdrawalRow, operatorView: OperatorView): QueuedWithdrawal {
  const { config, view, operatorId, reader } = operatorView
  const { can_cancel: _, ...shown } = presentWithdrawal(config, row, view, reader)
  const isOwn = row.member_id === operatorId
  const hasApproved = row.approvals.some(([id]) => BigInt(id) === operatorId)
  const isUndecided = row.state === 'requested'
  const canStop =
    row.state === 'approved' && (row.transfer_state === null || row.transfer_state === 'expired')
  const marks = marksIn(row.risks)
  return {
    ...shown,
    age: row.closed_at === null ? Math.floor((view.now.getTime() - row.requested_at.getTime()) / 1000) : null,
    frozen: row.frozen,
    member_id: Number(row.member_id),
    username: row.username,
    email: row.email,
    risks: WITHDRAWAL_RISKS.filter((name) => marks.some((mark) => mark.name === name)),
    risk_marks: marks,
    approvals: row.approvals.map(([, operator, at]) => ({ operator, at: new Date(at).toISOString() })),
    approvals_needed: row.approvals_needed,
    can_approve: isUndecided && !isOwn && !hasApproved,
    can_refuse: !isOwn && (isUndecided || canStop),
    refused_by: row.refused_by,
    wallet_since: row.wallet_since?.toISOString() ?? null,
    short_by: shortBy(row),
    delay: delayOf(row),
  }
}

/** Of the file that the queue is saved as. */
export const QUEUE_COLUMNS: readonly ExportColumn<QueuedWithdrawalRow>[] = [
  { name: 'id', value: ({ id }) => Number(id) },
  { name: 'member_id', value: (row) => Number(row.member_id) },
  { name: 'username', value: ({ username }) => username },
  { name: 'requested_at', value: (row) => row.requested_at },
  { name: 'state', value: ({ state }) => state },
  { name: 'amount', value: ({ amount }) => formatAmount(amount) },
  { name: 'fee', value: ({ fee }) => formatAmount(fee) },
  { name: 'arrives', value: ({ amount, fee }) => formatAmount(amount - fee) },
  { name: 'from_balance', value: (row) => formatAmount(row.from_balance) },
  { name: 'from_principal', value: (row) => formatAmount(row.from_principal) },
  { name: 'wallet_address', value: (row) => row.wallet_address },
  {
    name: 'risks',
    value: ({ risks }) =>
      marksIn(risks)
        .map((mark) => mark.name)
        .join(' '),
  },
  { name: 'approvals', value: ({ approvals }) => approvals.map(([, operator]) => operator).join(' ') },
  { name: 'approvals_needed', value: (row) => row.approvals_needed },
  { name: 'approved_at', value: (row) => row.approved_at },
  { name: 'txid', value: (row) => shownTxid(progressOf(row)) },
  { name: 'closed_at', value: (row) => row.closed_at },
  { name: 'refused_by', value: (row) => row.refused_by },
  { name: 'reason', value: ({ reason }) => reason },
]

/** GET operator/withdrawals/{id}/ */
export function presentDossier(
  { row, member, events, transfers, sameWallet, day }: Dossier,
  operatorView: OperatorView,
): WithdrawalDossier {
  return {
    ...presentQueued(row, operatorView),
    member: {
      joined_at: member.joined_at.toISOString(),
      principal: formatAmount(member.principal),
      balance: formatAmount(member.balance),
      held: formatAmount(member.held),
      invested: formatAmount(member.invested),
      earned: formatAmount(member.earned),
      withdrawn: formatAmount(member.withdrawn),
      withdrawals: member.withdrawals,
      sponsor: member.sponsor,
      sponsor_id: member.sponsor_id === null ? null : Number(member.sponsor_id),
      two_factor: member.twoFactor,
      cools_until: member.coolsUntil?.toISOString() ?? null,
    },
    same_wallet: sameWallet.map(({ id, username }) => ({ member_id: Number(id), username })),
    day: {
      amount: formatAmount(day.amount),
      count: day.count,
      operators: day.operators,
      more_from: day.moreFrom === null ? null : formatAmount(day.moreFrom),
    },
    security_events: events.map(({ kind, at, user_agent: device }) => ({
      kind,
      at: at.toISOString(),
      device,
    })),
    transfers: transfers.map((transfer) => ({
      txid: transfer.txid,
      state: transfer.state as WithdrawalDossier['transfers'][number]['state'],
      prepared_at: transfer.prepared_at.toISOString(),
      expires_at: transfer.expires_at.toISOString(),
      broadcasts: transfer.broadcasts,
      reply: transfer.reply,
      result: transfer.result,
      arrived: transfer.arrived === null ? null : formatAmount(transfer.arrived),
      explorer_url: explorerUrl(operatorView.config, transfer.txid),
    })),
  }
}
