/** Asking for a withdrawal: the code for it, its terms, and the request, which holds the whole amount at once. */
import { randomUUID } from 'node:crypto'
import type { Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import {
  approvalsNeeded,
  isLargeShare,
  splitWithdrawal,
  type WithdrawalParts,
  withdrawalRefusal,
} from '@aval/plan'
import { recordAudit } from '../../core/audit.sql.ts'
import type { CommitOnRefusalTx } from '../../core/committed-refusal.ts'
import type { Context } from '../../core/context.ts'
import type { Device } from '../../core/device.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../ledger/ledger.commands.ts'
import { createEmailCode, spendEmailCode } from '../identity/email-codes/email-codes.commands.ts'
import { maskEmail } from '../identity/email-codes/email-codes.rules.ts'
import { requireWallet } from '../identity/profile/profile.queries.ts'
import { stepUpIfEnabled } from '../identity/second-factor/second-factor.commands.ts'
import { notMeUrl } from '../identity/security-log/not-me-link.ts'
import { requireUnlocked } from '../identity/security-log/security-log.queries.ts'
import { requireLiveSession } from '../identity/sessions/sessions.commands.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { isStopped } from '../reserves/stop.commands.ts'
import { type Means, meansOf } from './terms.commands.ts'
import { bindingOf, marksOf } from './withdrawals.rules.ts'
import {
  drawNumber,
  insertPrincipalMovement,
  insertWithdrawal,
  selectMember,
  selectRiskFacts,
  updateApproved,
} from './withdrawals.sql.ts'

/** Who asks, and from where. */
export interface Asking {
  readonly memberId: bigint
  readonly sessionId: string
  readonly device: Device
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
}

export interface Ask extends Asking {
  readonly amount: Micro
  readonly wallet: string
}

const atField = (refusal: Refusal, path: string) =>
  new Refusal(refusal.code, refusal.params, [{ path, key: refusal.code, params: refusal.params }])

/** Money leaves to the registered wallet and nowhere else. */
function refuseOtherWallet(registered: string, asked: string): void {
  if (registered === '') throw atField(new Refusal('wallet_missing'), 'wallet_address')
  if (asked !== registered) throw atField(new Refusal('wallet_unregistered'), 'wallet_address')
}

/**
 * E-mails a code for a withdrawal; one made with an amount and a wallet is good for that pair alone.
 * @returns the address, told in part
 * @throws Refusal `wallet_missing`, `wallet_unregistered`, `not_signed_in`
 */
export async function sendCode(
  context: Context,
  tx: Tx,
  asking: Asking,
  pair: { readonly amount: Micro; readonly wallet: string } | null,
): Promise<string> {
  const { memberId, sessionId, device, now, systemNow } = asking
  await requireLiveSession(tx, asking)
  const member = await selectMember(tx, memberId)
  if (pair !== null) refuseOtherWallet(member.usdt_wallet, pair.wallet)
  const code = await createEmailCode(context, tx, {
    memberId,
    purpose: 'withdrawal',
    session: sessionId,
    device: device.userAgent,
    binding: pair === null ? '' : bindingOf(pair.amount, pair.wallet),
    now: systemNow,
  })
  const { plan } = await planAt(tx, now)
  const event = `withdrawal_code:${randomUUID()}`
  const told = pair === null ? {} : { ...amountsOf(pair.amount, plan.withdrawals.fee), wallet: pair.wallet }
  const params = { code, ...told, ...tracesOf(context, asking, event) }
  await queueMail(
    tx,
    {
      memberId,
      to: member.email,
      locale: member.locale,
      event,
      template: 'withdrawal_code',
      params,
    },
    systemNow,
  )
  return maskEmail(member.email)
}

const amountsOf = (amount: Micro, fee: Micro) => ({
  amount: String(amount),
  fee: String(fee),
  arrives: String(amount > fee ? amount - fee : 0n),
})

function tracesOf(context: Context, { memberId, device, systemNow }: Asking, event: string) {
  return {
    at: systemNow,
    device: device.userAgent,
    ip: device.ip,
    notMeUrl: notMeUrl(context.config, memberId, event, systemNow),
  }
}

interface Judged {
  readonly means: Means
  readonly parts: WithdrawalParts
}

/** Everything that must be so, looked at under the member's lock. Writes nothing. */
async function judge(context: Context, tx: Tx, ask: Ask): Promise<Judged> {
  const { memberId, amount, wallet, now, systemNow } = ask
  await lockMember(tx, memberId)
  if (await isStopped(tx)) throw new Refusal('withdrawals_paused')
  await requireLiveSession(tx, ask)
  refuseOtherWallet((await selectMember(tx, memberId)).usdt_wallet, wallet)
  // It may have become one of ours since it was registered.
  await requireWallet(context, tx, wallet, 'wallet_address')
  await requireUnlocked(tx, memberId, context.config, systemNow)
  const means = await meansOf(tx, memberId, now)
  const refusal = withdrawalRefusal(means.plan, amount, {
    balance: means.spendable,
    unlocked: means.unlocked,
    askedToday: means.askedToday,
  })
  if (refusal !== null) throw atField(new Refusal(refusal.code, { ...refusal.params }), 'amount')
  const parts = splitWithdrawal(amount, means.spendable, means.unlocked)
  if (parts === null) throw new Error('what is covered cannot be split')
  return { means, parts }
}

/** Holds the amount in the ledger, under the withdrawal's number. */
async function hold(tx: Tx, ask: Ask, id: bigint, { fromBalance, fromPrincipal }: WithdrawalParts) {
  const { memberId, now } = ask
  const at = fromPrincipal > 0n ? await openInstant(tx, now) : now
  const journal = await post(tx, {
    key: `withdrawal:${id}:hold`,
    kind: 'withdrawal_hold',
    memberId,
    at,
    movements: [
      { kind: 'hold_balance', amount: fromBalance },
      { kind: 'hold_principal', amount: fromPrincipal },
    ],
  })
  if (fromPrincipal > 0n)
    await insertPrincipalMovement(tx, { memberId, withdrawalId: id, amount: -fromPrincipal, at })
  return journal.id
}

async function risksOf(tx: Tx, ask: Ask, { means, parts }: Judged) {
  const { memberId, sessionId, device, wallet } = ask
  const facts = await selectRiskFacts(tx, { memberId, sessionId, userAgent: device.userAgent, wallet })
  const everything = micro(means.balance + means.principal)
  return marksOf(
    {
      ...facts,
      largeShare: isLargeShare(ask.amount, everything),
      takesPrincipal: parts.fromPrincipal > 0n,
      owes: means.owed > 0n,
    },
    ask.systemNow,
  )
}

/** Tells the member by e-mail, and the trail. */
async function announce(context: Context, tx: Tx, ask: Ask, id: bigint, fee: Micro): Promise<void> {
  const { memberId, amount, wallet, systemNow } = ask
  const member = await selectMember(tx, memberId)
  const event = `withdrawal:${id}:requested`
  await queueMail(
    tx,
    {
      memberId,
      to: member.email,
      locale: member.locale,
      event,
      template: 'withdrawal_requested',
      params: { ...amountsOf(amount, fee), wallet, number: String(id), ...tracesOf(context, ask, event) },
    },
    systemNow,
  )
  await recordAudit(tx, {
    at: systemNow,
    actorId: memberId,
    action: 'withdrawal.request',
    outcome: 'done',
    subject: `withdrawal:${id}`,
    details: { amount: String(amount), wallet },
  })
}

/** Writes down what was judged to be right. @returns the withdrawal's number */
async function place(context: Context, tx: Tx, ask: Ask, judged: Judged): Promise<bigint> {
  const { means, parts } = judged
  const { memberId, amount, wallet, now } = ask
  const { fee } = means.plan.withdrawals
  const risks = await risksOf(tx, ask, judged)
  const asked = approvalsNeeded(means.plan, amount)
  // What needs nobody's approval still needs somebody's, when there is something to look at.
  const needed = asked === 0 && risks.length > 0 ? 1 : asked
  const id = await drawNumber(tx)
  await insertWithdrawal(tx, {
    memberId,
    id,
    amount,
    fee,
    fromBalance: parts.fromBalance,
    fromPrincipal: parts.fromPrincipal,
    wallet,
    approvalsNeeded: needed,
    planVersion: means.version,
    risks,
    device: ask.device.userAgent,
    journalId: await hold(tx, ask, id, parts),
    at: now,
  })
  if (needed === 0) await updateApproved(tx, memberId, id, now)
  await announce(context, tx, ask, id, fee)
  return id
}

/**
 * Asks for a withdrawal. The code is looked at last, so that a slip anywhere else does not use it up.
 *
 * @param codes.attempt the call's hash where it has a key to be sent again under
 * @returns its number
 * @throws Refusal `withdrawals_paused`, `not_signed_in`, `wallet_missing`, `wallet_unregistered`, `wallet_ours`, `cooling`,
 * `account_locked`, `withdrawal_too_small`, `withdrawal_daily_limit`, `balance_too_small`; StandingRefusal of
 * `requireOtpIfOn` and `spendCode`
 */
export async function requestWithdrawal(
  context: Context,
  tx: CommitOnRefusalTx,
  ask: Ask,
  codes: { readonly code: string; readonly otp: string | null; readonly attempt: string | null },
): Promise<bigint> {
  const { memberId, sessionId, device, amount, wallet, systemNow } = ask
  const judged = await judge(context, tx, ask)
  const { otp, attempt } = codes
  const subject = `member:${memberId}`
  const decision = { memberId, sessionId, otp, attempt, action: 'withdrawal.request', subject }
  await stepUpIfEnabled(context, tx, decision, systemNow)
  await spendEmailCode(context, tx, {
    memberId,
    purpose: 'withdrawal',
    session: sessionId,
    device: device.userAgent,
    code: codes.code,
    bindings: ['', bindingOf(amount, wallet)],
    field: 'used_code',
    now: systemNow,
  })
  return place(context, tx, ask, judged)
}

/** The same without codes: for whoever has them checked already, a simulation say. @throws Refusal as `requestWithdrawal` */
export async function placeWithdrawal(context: Context, tx: Tx, ask: Ask): Promise<bigint> {
  return place(context, tx, ask, await judge(context, tx, ask))
}
