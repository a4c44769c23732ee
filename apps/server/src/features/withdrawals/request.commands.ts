/** Requesting a withdrawal: the e-mail code for it, and the request, which holds the whole amount at once. */
import { randomUUID } from 'node:crypto'
import { type MemberProof, withdrawalDue } from '@aval/contract'
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
import { lockMember } from '../../ledger/ledger.commands.ts'
import { createEmailCode, spendEmailCode } from '../identity/email-codes/email-codes.commands.ts'
import { maskEmail } from '../identity/email-codes/email-codes.rules.ts'
import { requireNotFrozen } from '../identity/freezing/freezing.queries.ts'
import {
  proofOfWithdrawal,
  unlessUsed,
  type WithdrawalProof,
} from '../identity/member-key/member-key.commands.ts'
import { requireNoMemberKey } from '../identity/member-key/member-key.queries.ts'
import { requireWallet } from '../identity/profile/profile.queries.ts'
import { stepUpIfEnabled } from '../identity/second-factor/second-factor.commands.ts'
import { notMeUrl } from '../identity/security-log/not-me-link.ts'
import { requireUnlocked } from '../identity/security-log/security-log.queries.ts'
import { requireLiveSession } from '../identity/sessions/sessions.commands.ts'
import { findNewDevice } from '../identity/sessions/sessions.queries.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { isStopped } from '../reserves/reserves.queries.ts'
import type { Moment } from './decide.commands.ts'
import { type Funds, fundsOf } from './withdrawals.queries.ts'
import { bindingOf, bindingsFor, newsSince, risksFrom } from './withdrawals.rules.ts'
import * as store from './withdrawals.sql.ts'

/** Who requests, and from where. */
export interface Requester extends Moment {
  readonly memberId: bigint
  readonly sessionId: string
  readonly device: Device
}

export interface WithdrawalRequest extends Requester {
  readonly amount: Micro
  readonly wallet: string
}

const atField = (refusal: Refusal, path: string) =>
  new Refusal(refusal.code, refusal.params, [{ path, key: refusal.code, params: refusal.params }])

/** Money leaves to the registered wallet and nowhere else. */
function refuseOtherWallet(registered: string, wallet: string): void {
  if (registered === '') throw atField(new Refusal('wallet_missing'), 'wallet_address')
  if (wallet !== registered) throw atField(new Refusal('wallet_unregistered'), 'wallet_address')
}

/**
 * E-mails a code for a withdrawal: for one amount to one wallet alone, or for one withdrawal of any amount to the registered wallet.
 * @param pair null for any amount
 * @returns the address, masked
 * @throws Refusal `code_unbound_off`, `wallet_missing`, `wallet_unregistered`, `not_signed_in`, `account_frozen`, `passkey_required`
 */
export async function sendCode(
  context: Context,
  tx: Tx,
  requester: Requester,
  pair: { readonly amount: Micro; readonly wallet: string } | null,
): Promise<string> {
  const { memberId, now, systemNow } = requester
  await lockMember(tx, memberId)
  await requireLiveSession(tx, requester)
  await requireNotFrozen(tx, memberId)
  await requireNoMemberKey(tx, memberId)
  const member = await store.selectMember(tx, memberId)
  if (pair === null && !context.config.unboundCodes) throw new Refusal('code_unbound_off')
  const { amount, wallet } = pair ?? { amount: null, wallet: member.usdt_wallet }
  refuseOtherWallet(member.usdt_wallet, wallet)
  const code = await createEmailCode(context, tx, {
    memberId,
    purpose: 'withdrawal',
    binding: bindingOf(amount, wallet),
    to: member.email,
    now: systemNow,
  })
  const { plan } = await planAt(tx, now)
  const event = `withdrawal_code:${randomUUID()}`
  const amounts = amount === null ? {} : amountsOf(amount, plan.withdrawals.fee)
  const unproven = member.email_proven_at === null && { unprovenFor: member.username }
  const params = { code, wallet, ...unproven, ...amounts, ...tracesOf(context, requester, event) }
  const mail = { memberId, to: member.email, locale: member.locale, event }
  await queueMail(tx, { ...mail, template: 'withdrawal_code', params }, systemNow)
  return maskEmail(member.email)
}

const amountsOf = (amount: Micro, fee: Micro) => ({
  amount: String(amount),
  fee: String(fee),
  arrives: String(amount > fee ? amount - fee : 0n),
})

function tracesOf(context: Context, { memberId, device, systemNow }: Requester, event: string) {
  return {
    at: systemNow,
    device: device.userAgent,
    ip: device.ip,
    notMeUrl: notMeUrl(context.config, memberId, event, systemNow),
  }
}

interface Checked {
  readonly member: Awaited<ReturnType<typeof store.selectMember>>
  readonly funds: Funds
  readonly parts: WithdrawalParts
}

/** Checks every condition under the member's lock. Writes nothing. */
async function check(context: Context, tx: Tx, request: WithdrawalRequest): Promise<Checked> {
  const { memberId, amount, wallet, now, systemNow } = request
  await lockMember(tx, memberId)
  if (await isStopped(tx)) throw new Refusal('withdrawals_paused')
  await requireLiveSession(tx, request)
  await requireNotFrozen(tx, memberId)
  const member = await store.selectMember(tx, memberId)
  refuseOtherWallet(member.usdt_wallet, wallet)
  // It may have become one of ours since it was registered.
  await requireWallet(context, tx, wallet, 'wallet_address')
  await requireUnlocked(tx, memberId, context.config, systemNow)
  const funds = await fundsOf(tx, memberId, now)
  const refusal = withdrawalRefusal(funds.plan, amount, {
    balance: funds.spendable,
    unlocked: funds.unlocked,
    askedToday: funds.askedToday,
  })
  if (refusal !== null) throw atField(new Refusal(refusal.code, { ...refusal.params }), 'amount')
  const parts = splitWithdrawal(amount, funds.spendable, funds.unlocked)
  if (parts === null) throw new Error('what is covered cannot be split')
  return { member, funds, parts }
}

async function risksOf(tx: Tx, request: WithdrawalRequest, { funds, parts }: Checked) {
  const { memberId, device, wallet, systemNow: now } = request
  const facts = await store.selectRiskFacts(tx, { memberId, wallet })
  const everything = micro(funds.balance + funds.principal)
  return risksFrom(
    {
      ...facts,
      largeShare: isLargeShare(request.amount, everything)
        ? Number((request.amount * 100n) / everything)
        : null,
      deviceSince: await findNewDevice(tx, memberId, device.userAgent, { since: newsSince(now), now }),
      fromPrincipal: parts.fromPrincipal,
      owed: funds.owed,
    },
    now,
  )
}

/** E-mails the member, and records the request in the audit trail. */
async function announce(context: Context, tx: Tx, request: WithdrawalRequest, id: bigint, fee: Micro) {
  const { memberId, amount, wallet, systemNow } = request
  const member = await store.selectMember(tx, memberId)
  const event = `withdrawal:${id}:requested`
  const mail = { memberId, to: member.email, locale: member.locale, event }
  const params = {
    ...amountsOf(amount, fee),
    ...tracesOf(context, request, event),
    ...{ wallet, number: String(id), due: withdrawalDue(request.now, request.now).at },
  }
  await queueMail(tx, { ...mail, template: 'withdrawal_requested', params }, systemNow)
  await recordAudit(tx, {
    at: systemNow,
    actorId: memberId,
    action: 'withdrawal.request',
    outcome: 'done',
    subject: `withdrawal:${id}`,
    details: { amount: String(amount), wallet },
  })
}

/** Stores a checked request. @returns the withdrawal's number */
async function createWithdrawal(
  context: Context,
  tx: Tx,
  request: WithdrawalRequest,
  checked: Checked,
  proof: WithdrawalProof | null,
) {
  const { funds, parts } = checked
  const { memberId, amount, wallet, now } = request
  const { fee } = funds.plan.withdrawals
  const risks = await risksOf(tx, request, checked)
  const byAmount = approvalsNeeded(funds.plan, amount)
  // One that needs no approval needs one all the same when it has risks; the signer asks for one of any.
  const needed = byAmount === 0 && risks.length > 0 ? 1 : byAmount
  const row = {
    ...{
      memberId,
      amount,
      fee,
      ...parts,
      wallet,
      approvalsNeeded: needed,
      planVersion: funds.version,
      risks,
    },
    device: request.device.userAgent,
    at: now,
    proof,
  }
  const id = await unlessUsed(() => store.insertWithdrawal(tx, row))
  await announce(context, tx, request, id, fee)
  return id
}

/**
 * Requests a withdrawal. The code is checked last, so that another refusal does not use it up. Where only a passkey moves the member's
 * money, its signature takes the place of all codes: it is two factors, and of this amount and wallet alone.
 *
 * @param codes.attempt the call's hash where it has a key to be sent again under
 * @returns its number
 * @throws Refusal `withdrawals_paused`, `not_signed_in`, `account_frozen`, `wallet_missing`, `wallet_unregistered`, `wallet_ours`, `cooling`,
 * `account_locked`, `email_unproven`, `withdrawal_too_small`, `withdrawal_daily_limit`, `balance_too_small`; StandingRefusal of
 * `requireOtpIfOn` and `spendCode`; Refusal of `proofOfWithdrawal`
 */
export async function requestWithdrawal(
  context: Context,
  tx: CommitOnRefusalTx,
  request: WithdrawalRequest,
  codes: {
    readonly code: string
    readonly otp: string | null
    readonly attempt: string | null
    readonly passkey: MemberProof | null
  },
): Promise<bigint> {
  const { memberId, sessionId, amount, wallet, systemNow } = request
  const { otp, attempt, passkey } = codes
  if (passkey === null) await requireNoMemberKey(tx, memberId)
  const checked = await check(context, tx, request)
  const proof = await proofOfWithdrawal(context, tx, request, passkey, systemNow)
  // No code says that the member reads the mailbox.
  if (proof !== null && checked.member.email_proven_at === null) throw new Refusal('email_unproven')
  if (proof !== null) return createWithdrawal(context, tx, request, checked, proof)
  const subject = `member:${memberId}`
  const decision = { memberId, sessionId, otp, attempt, action: 'withdrawal.request', subject } as const
  await stepUpIfEnabled(context, tx, decision, systemNow)
  await spendEmailCode(context, tx, {
    memberId,
    purpose: 'withdrawal',
    code: codes.code,
    bindings: bindingsFor(amount, wallet, context.config.unboundCodes),
    field: 'used_code',
    now: systemNow,
  })
  return createWithdrawal(context, tx, request, checked, null)
}

/** The same without codes, for simulations and benchmarks. @throws Refusal as `requestWithdrawal` */
export async function placeWithdrawal(context: Context, tx: Tx, request: WithdrawalRequest): Promise<bigint> {
  return createWithdrawal(context, tx, request, await check(context, tx, request), null)
}
