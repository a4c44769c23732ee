import type { AccountClosing } from '@aval/contract'
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import type { MessageKey, MessageParams } from '../../../core/messages.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockedOf } from '../../investments/investments.queries.ts'
import { type StoredLeft, selectIsFirst, selectLeft } from './closing.sql.ts'

/** Something that keeps an account open. */
export interface Left {
  readonly what: StoredLeft['what']
  readonly amount: Micro
  readonly count: number
  /** Until when principal is locked; null where it is not, or this is none. */
  readonly until: Date | null
}

/** Everything that keeps an account open. @param now business time */
export async function leftIn(db: Db, memberId: bigint, now: Date): Promise<Left[]> {
  const left: Left[] = []
  for (const { what, amount, count } of await selectLeft(db, memberId)) {
    // All of it has to leave: the last part decides.
    const until =
      what === 'principal' ? ((await lockedOf(db, memberId, now)).locked.at(-1)?.unlocksAt ?? null) : null
    left.push({ what, amount: micro(amount), count, until })
  }
  return left
}

/** What is said of something that is left: what it is, and what to do about it. */
export function sentenceOf({ what, amount, count, until }: Left): { key: MessageKey; params: MessageParams } {
  if (what === 'principal' && until !== null)
    return { key: 'left_principal_locked', params: { amount, until } }
  return { key: `left_${what}`, params: { amount, count } }
}

/** @throws Refusal `account_not_empty`, which lists what is left */
export function refuseLeft(left: readonly Left[]): void {
  if (left.length === 0) return
  const reasons = left.map((each) => ({ path: each.what, ...sentenceOf(each) }))
  throw new Refusal('account_not_empty', {}, reasons)
}

/** Why nobody closes this account from its own screen; null where its member may. */
export async function closingRefused(
  db: Db,
  { memberId, isOperator }: { readonly memberId: bigint; readonly isOperator: boolean },
): Promise<AccountClosing['refused']> {
  if (await selectIsFirst(db, memberId)) return 'account_of_company'
  return isOperator ? 'account_of_operator' : null
}
