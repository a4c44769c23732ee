import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { RefusalCode } from '@aval/contract'
import type { Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import { keyFor } from '../../../core/seal.ts'
import { StandingRefusal, type StandingTx } from '../../../core/standing.ts'
import {
  CODE_COUNT,
  CODE_LIVES,
  type CodeVerdict,
  codeOf,
  judgeCode,
  MOST_TRIES,
  readCode,
} from './email-codes.rules.ts'
import { type CodePurpose, countWrongTry, lockCode, upsertCode, useUpCodes } from './email-codes.sql.ts'

export type { CodePurpose } from './email-codes.sql.ts'

const SALT_BYTES = 12

interface CodeOwner {
  readonly memberId: bigint
  readonly purpose: CodePurpose
  /** The session that asks; null for a member who is not signed in. */
  readonly session: string | null
  /** The user agent that asks; empty where any will do. */
  readonly device: string
}

/** Under a key of the server's: who reads the database alone cannot try ten million codes. */
function hashOf(context: Context, { memberId, purpose }: CodeOwner, salt: string, code: string): string {
  const mac = createHmac('sha256', keyFor(context.config.jwtKey, 'secret codes'))
  return `${salt}.${mac.update(`${salt} ${memberId} ${purpose} ${code}`).digest('hex')}`
}

function isSame(stored: string, tried: string): boolean {
  const [left, right] = [Buffer.from(stored), Buffer.from(tried)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Makes a member's code for a purpose; the one before it dies. It is told by e-mail alone: put it into a message in this
 * transaction, and nowhere else.
 * @param wanted.binding what alone it is good for: any text that whoever spends it can write again
 * @param wanted.now system time
 * @returns seven digits
 */
export async function makeCode(
  context: Context,
  tx: Tx,
  wanted: CodeOwner & { readonly binding: string; readonly now: Date },
): Promise<string> {
  const code = codeOf(randomInt(CODE_COUNT))
  await upsertCode(tx, {
    memberId: wanted.memberId,
    purpose: wanted.purpose,
    hash: hashOf(context, wanted, randomBytes(SALT_BYTES).toString('hex'), code),
    binding: wanted.binding,
    sessionId: wanted.session,
    device: wanted.device,
    madeAt: wanted.now,
    expiresAt: new Date(wanted.now.getTime() + CODE_LIVES),
  })
  return code
}

export interface Spending extends CodeOwner {
  /** As it was typed. */
  readonly code: string
  /** What this would be good under: a code made for one of these is right. */
  readonly bindings: readonly string[]
  /** The field of the request that holds the code; told with the refusal. */
  readonly field: string
  /** System time. */
  readonly now: Date
}

const REFUSED_AS: Readonly<Record<Exclude<CodeVerdict, 'right'>, RefusalCode & `code_${string}`>> = {
  none: 'code_expired',
  wrong: 'code_wrong',
  for_other: 'code_for_other',
  elsewhere: 'code_elsewhere',
}

/**
 * Uses a code up, or counts a wrong try, under the code's lock: five wrong tries kill it however many come at once, and it
 * works once. Call it first in its transaction: what was done before a wrong code would stand. A refusal that comes later
 * rolls the spending back, and the code is live still.
 * @throws StandingRefusal `code_expired`, `code_wrong`, `code_for_other`, `code_elsewhere`; each stands in the audit trail
 */
export async function spendCode(context: Context, tx: StandingTx, spending: Spending): Promise<void> {
  const { memberId, purpose, bindings, session: sessionId, device, now } = spending
  const stored = await lockCode(tx, memberId, purpose)
  const code = readCode(spending.code)
  const salt = stored?.hash.split('.')[0] ?? ''
  const matches = isSame(stored?.hash ?? '', hashOf(context, spending, salt, code ?? ''))
  const verdict = judgeCode(stored, { matches, bindings, sessionId, device }, now)
  if (verdict === 'right') return useUpCodes(tx, memberId, purpose, now)
  if (verdict !== 'none') await countWrongTry(tx, memberId, purpose)
  const left = verdict === 'none' || stored === undefined ? 0 : MOST_TRIES - stored.wrongTries - 1
  await recordAudit(tx, {
    at: now,
    actorId: memberId,
    action: `code.${purpose}`,
    outcome: 'refused',
    subject: `member:${memberId}`,
    details: { why: verdict, left },
  })
  const key = verdict === 'wrong' && left === 0 ? 'code_expired' : REFUSED_AS[verdict]
  throw new StandingRefusal(tx, key, { left }, [{ path: spending.field, key, params: { left } }])
}

/** Nothing that was asked for before is good any more: whoever asked may have been somebody else. */
export async function killCodes(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await useUpCodes(tx, memberId, null, now)
}
