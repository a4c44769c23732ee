/**
 * Withdrawals: members' money that leaves.
 *
 * Terms. A request *holds* its whole amount: balance first, then unlocked principal. A withdrawal that comes to nothing
 * *releases* its hold in full; one that settles turns it into money that left, and a fee. Its *transfer* is the newest
 * payment that was prepared for it; a *dead* one can enter the chain no more, and another may follow. A *stage* is what
 * people see: the state, and the way of an approved one through the chain. A *mark* is what an operator should look at.
 *
 * ```
 * requested ─▶ approved ─▶ completed
 *     │           ├──────▶ failed       its transfer is in the solid chain, and did not pay
 *     │           └──────▶ refused      by an operator, while no transfer can still arrive
 *     ├──────────────────▶ refused
 *     └──────────────────▶ cancelled    by its member
 * ```
 */
import {
  type RiskMark,
  riskMark,
  type Withdrawal,
  type WithdrawalRisk,
  type WithdrawalStage,
} from '@aval/contract'
import { formatAmount } from '@aval/money'

const NEXT = {
  requested: ['approved', 'cancelled', 'refused'],
  approved: ['completed', 'failed', 'refused'],
  completed: [],
  cancelled: [],
  refused: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>

export type WithdrawalState = keyof typeof NEXT
export type ClosedState = 'completed' | 'cancelled' | 'refused' | 'failed'

export function mayBecome(state: WithdrawalState, next: WithdrawalState): boolean {
  const allowed: readonly WithdrawalState[] = NEXT[state]
  return allowed.includes(next)
}

/** The code a client of the first hour knows. */
export function statusOf(state: WithdrawalState): Withdrawal['status'] {
  switch (state) {
    case 'requested':
      return '1'
    case 'approved':
    case 'completed':
      return '2'
    case 'cancelled':
    case 'refused':
    case 'failed':
      return '3'
    default:
      throw new Error(`a withdrawal in no known state: ${state satisfies never}`)
  }
}

/** The newest payment prepared for a withdrawal. Instants are the system's but `blockAt`, which is the chain's. */
export interface Transfer {
  readonly txid: string
  readonly state: 'prepared' | 'signed' | 'settled' | 'failed' | 'expired'
  readonly signedAt: Date | null
  readonly broadcastAt: Date | null
  readonly seenAt: Date | null
  readonly seenBlock: bigint | null
  readonly block: bigint | null
  readonly blockAt: Date | null
}

export interface Progress {
  readonly state: WithdrawalState
  readonly requestedAt: Date
  readonly approvedAt: Date | null
  readonly closedAt: Date | null
  readonly transfer: Transfer | null
}

/** The transfer that counts: one that died is as if it had never been. */
function liveTransfer({ transfer }: Progress): Transfer | null {
  return transfer === null || transfer.state === 'expired' ? null : transfer
}

export function stageOf(progress: Progress): WithdrawalStage {
  if (progress.state !== 'approved') return progress.state
  const transfer = liveTransfer(progress)
  if (transfer === null || transfer.signedAt === null) return 'approved'
  if (transfer.seenBlock !== null || transfer.block !== null) return 'confirming'
  return transfer.broadcastAt === null ? 'signed' : 'broadcast'
}

/** The transaction to show: only what was handed to the chain is one. */
export function shownTxid(progress: Progress): string | null {
  const transfer = liveTransfer(progress)
  return transfer !== null && (transfer.broadcastAt !== null || transfer.block !== null)
    ? transfer.txid
    : null
}

/** How many blocks lie on a transfer, one short of solid until it is booked; null before it is in one, and after. */
export function confirmationsOf(progress: Progress, head: bigint, needed: number): bigint | null {
  if (stageOf(progress) !== 'confirming') return null
  const most = BigInt(Math.max(0, needed - 1))
  const block = progress.transfer?.seenBlock ?? null
  // In a solid block, as many lie on it as it takes.
  if (block === null) return most
  const lying = head < block ? 1n : head - block + 1n
  return lying > most ? most : lying
}

/**
 * The stages a withdrawal went through, oldest first, on the clock that money lives by. What is dated by the system's clock is
 * moved onto it, and kept between what came before it and what came after: a demo's clock jumps.
 *
 * @param ahead milliseconds that business time is ahead of the system's now
 */
export function timelineOf(
  progress: Progress,
  ahead: number,
  now: Date,
): { readonly stage: WithdrawalStage; readonly at: Date }[] {
  const { state, requestedAt, approvedAt, closedAt } = progress
  const stages: { stage: WithdrawalStage; at: Date }[] = [{ stage: 'requested', at: requestedAt }]
  if (approvedAt !== null) stages.push({ stage: 'approved', at: approvedAt })
  const latest = closedAt ?? now
  const put = (stage: WithdrawalStage, at: Date | null) => {
    if (at === null) return
    const before = stages.at(-1)?.at ?? requestedAt
    const moment = Math.max(before.getTime(), Math.min(at.getTime(), latest.getTime()))
    stages.push({ stage, at: new Date(moment) })
  }
  const moved = (at: Date | null | undefined) => (at == null ? null : new Date(at.getTime() + ahead))
  const transfer = approvedAt === null ? null : liveTransfer(progress)
  if (transfer !== null) {
    put('signed', moved(transfer.signedAt))
    put('broadcast', moved(transfer.broadcastAt))
    put('confirming', moved(transfer.seenAt) ?? transfer.blockAt)
  }
  if (closedAt !== null) stages.push({ stage: state, at: closedAt })
  return stages
}

const NEWS_DAYS = 7
/** What changed before is no news. */
export const newsSince = (now: Date): Date => new Date(now.getTime() - NEWS_DAYS * 86_400_000)

export interface RiskFacts {
  /** When the wallet took the place of another one; system time. */
  readonly walletSince: Date | null
  /** The latest change of e-mail, password, two-factor or passkeys; system time. */
  readonly securityChangedAt: Date | null
  readonly hasWithdrawn: boolean
  /** Percent of everything the member has, where that is four fifths or more. */
  readonly largeShare: number | null
  /** When the device came, where it is a new one; system time. */
  readonly deviceSince: Date | null
  readonly walletSharedWith: string | null
  readonly fromPrincipal: bigint
  readonly owed: bigint
}

/** The marks of a request, in the order in which they check, each with why. @param now system time */
export function risksFrom(facts: RiskFacts, now: Date): RiskMark[] {
  const news = (at: Date | null) => (at !== null && at.getTime() > newsSince(now).getTime() ? at : null)
  const sum = (amount: bigint) => (amount > 0n ? formatAmount(amount) : null)
  const marks: readonly (readonly [WithdrawalRisk, Date | string | number | boolean | null])[] = [
    ['new_wallet', news(facts.walletSince)],
    ['recent_security_change', news(facts.securityChangedAt)],
    ['new_device', facts.deviceSince],
    ['wallet_shared', facts.walletSharedWith],
    ['first_withdrawal', !facts.hasWithdrawn],
    ['large_share', facts.largeShare],
    ['principal', sum(facts.fromPrincipal)],
    ['receivable', sum(facts.owed)],
  ]
  return marks
    .filter(([, why]) => why !== null && why !== false)
    .map(([name, why]) => ({
      name,
      since: why instanceof Date ? why.toISOString() : null,
      what: typeof why === 'string' || typeof why === 'number' ? String(why) : null,
    }))
}

/** Marks as they are stored; of before they had a reason, names alone. */
export function marksIn(stored: unknown): RiskMark[] {
  const marks = Array.isArray(stored) ? stored : []
  return marks.flatMap((mark: unknown) => {
    const read = riskMark.safeParse(typeof mark === 'string' ? { name: mark, since: null, what: null } : mark)
    return read.success ? [read.data] : []
  })
}

/** What a code is bound to: this pair alone, or any amount to this wallet. @param amount null for any */
export function bindingOf(amount: bigint | null, wallet: string): string {
  return JSON.stringify([amount === null ? null : String(amount), wallet])
}

/** The codes that a withdrawal takes. @param unbound whether one for any amount is good here */
export function bindingsFor(amount: bigint, wallet: string, unbound: boolean): string[] {
  return [bindingOf(amount, wallet), ...(unbound ? [bindingOf(null, wallet)] : [])]
}
