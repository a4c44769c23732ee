import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { RefusalCode } from '@aval/contract'
import type { Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, CommittedRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import { EMAIL_CODE_LIFETIME } from '../../../core/email-code.rules.ts'
import { keyFor } from '../../../core/seal.ts'
import { lockMember, markEmailProven } from '../members/members.sql.ts'
import { CODE_COUNT, type CodeVerdict, codeOf, judgeCode, MAX_TRIES, readCode } from './email-codes.rules.ts'
import { type CodePurpose, countWrongTry, lockCode, markCodesUsed, upsertCode } from './email-codes.sql.ts'
import { markResetsUsed } from './resets.sql.ts'

const SALT_BYTES = 12

interface CodeOwner {
  readonly memberId: bigint
  readonly purpose: CodePurpose
}

/** Resets keep their codes elsewhere, because a member has several. */
interface HashedFor {
  readonly memberId: bigint
  readonly purpose: CodePurpose | 'reset'
}

/** Keyed with a secret of the server: ten million codes cannot be tried against a copy of the database alone. */
function hashOf(context: Context, { memberId, purpose }: HashedFor, salt: string, code: string): string {
  const mac = createHmac('sha256', keyFor(context.config.jwtKey, 'secret codes'))
  return `${salt}.${mac.update(`${salt} ${memberId} ${purpose} ${code}`).digest('hex')}`
}

function isSame(stored: string, tried: string): boolean {
  const [left, right] = [Buffer.from(stored), Buffer.from(tried)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Seven digits, and what of them is stored. */
export function drawCode(
  context: Context,
  owner: HashedFor,
): { readonly code: string; readonly hash: string } {
  const code = codeOf(randomInt(CODE_COUNT))
  return { code, hash: hashOf(context, owner, randomBytes(SALT_BYTES).toString('hex'), code) }
}

/** @param typed as it was typed */
export function isCodeOf(context: Context, owner: HashedFor, stored: string, typed: string): boolean {
  const salt = stored.split('.')[0] ?? ''
  return isSame(stored, hashOf(context, owner, salt, readCode(typed) ?? ''))
}

/**
 * Makes a member's code for a purpose and revokes the one before it. It must reach the member by e-mail alone: put it into
 * a message in this transaction and nowhere else.
 * @param wanted.binding what the code is good for: any text that can be written again when it is spent
 * @param wanted.to the address that the message goes to
 * @param wanted.now system time
 * @returns seven digits
 */
export async function createEmailCode(
  context: Context,
  tx: Tx,
  wanted: CodeOwner & { readonly binding: string; readonly to: string; readonly now: Date },
): Promise<string> {
  const { code, hash } = drawCode(context, wanted)
  await upsertCode(tx, {
    member_id: wanted.memberId,
    purpose: wanted.purpose,
    hash,
    binding: wanted.binding,
    sent_to: wanted.to,
    made_at: wanted.now,
    expires_at: new Date(wanted.now.getTime() + EMAIL_CODE_LIFETIME),
  })
  return code
}

export interface Spending extends CodeOwner {
  /** As it was typed. */
  readonly code: string
  /** A code made for one of these is right. */
  readonly bindings: readonly string[]
  /** Where it was sent, when that is not the member's address yet: its use proves nothing of the present one. */
  readonly sentTo?: string
  /** The field of the request that holds the code; part of the refusal. */
  readonly field: string
  /** System time. */
  readonly now: Date
}

const REFUSED_AS = {
  none: 'code_expired',
  elsewhere: 'code_expired',
  wrong: 'code_wrong',
  for_other: 'code_for_other',
} as const satisfies Record<Exclude<CodeVerdict, 'right'>, RefusalCode>

/**
 * Something that came to this address was used: the member reads it. Every code and link of an e-mail ends here.
 * @param address where it was sent; proves nothing where the member has another one by now
 */
export async function proveEmail(tx: Tx, memberId: bigint, address: string, now: Date): Promise<void> {
  if (!(await markEmailProven(tx, memberId, address, now))) return
  const entry = { action: 'email.prove', outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId: memberId, ...entry })
}

/**
 * Uses a code up, or counts a wrong try, under the member's lock and the code's: it works once, and five wrong tries end it however many
 * arrive at once. Call it first in its transaction, because what was done before a wrong code is committed. A later
 * refusal rolls the use back, and the code stays live.
 * @throws CommittedRefusal `code_expired`, `code_wrong`, `code_for_other`, and for money `email_unproven` where the last code went to
 * a former address; each in the audit trail
 */
export async function spendEmailCode(context: Context, tx: CommitOnRefusalTx, spending: Spending) {
  const { memberId, purpose, bindings, sentTo, now } = spending
  const { email, email_proven_at: provenAt } = await lockMember(tx, memberId)
  const stored = await lockCode(tx, memberId, purpose)
  const matches = isCodeOf(context, spending, stored?.hash ?? '', spending.code)
  const verdict = judgeCode(stored, { matches, bindings, email: sentTo ?? email }, now)
  if (verdict === 'right') {
    await markCodesUsed(tx, memberId, purpose, now)
    return sentTo === undefined ? proveEmail(tx, memberId, email, now) : undefined
  }
  const isTry = verdict === 'wrong' || verdict === 'for_other'
  if (isTry) await countWrongTry(tx, memberId, purpose)
  const left = isTry && stored !== undefined ? MAX_TRIES - stored.wrongTries - 1 : 0
  await recordAudit(tx, {
    at: now,
    actorId: memberId,
    action: `code.${purpose}`,
    outcome: 'refused',
    subject: `member:${memberId}`,
    details: { why: verdict, left },
  })
  const refusedAs = verdict === 'wrong' && left === 0 ? 'code_expired' : REFUSED_AS[verdict]
  const isUnproven = purpose === 'withdrawal' && verdict === 'elsewhere' && provenAt === null
  const key = isUnproven ? 'email_unproven' : refusedAs
  throw new CommittedRefusal(tx, key, { left }, [{ path: spending.field, key, params: { left } }])
}

/** Ends every live code of a member, and every way to a new password: another person may have asked for it. */
export async function revokeEmailCodes(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await markCodesUsed(tx, memberId, null, now)
  await markResetsUsed(tx, memberId, now)
}
