import type { TwoFactor } from '@aval/contract'
import type { Db } from '@aval/db'
import { countRecoveryCodes, selectTotp } from './second-factor.sql.ts'

export async function hasSecondFactor(db: Db, memberId: bigint): Promise<boolean> {
  return (await selectTotp(db, memberId))?.confirmed_at != null
}

export async function findSecondFactor(db: Db, memberId: bigint, isOperator: boolean): Promise<TwoFactor> {
  const since = (await selectTotp(db, memberId))?.confirmed_at ?? null
  return {
    on: since !== null,
    since: since?.toISOString() ?? null,
    recovery_codes_left: since === null ? 0 : await countRecoveryCodes(db, memberId),
    obligatory: isOperator,
  }
}
