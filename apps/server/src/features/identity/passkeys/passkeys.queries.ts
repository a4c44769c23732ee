import type { Passkeys } from '@aval/contract'
import type { Db } from '@aval/db'
import type { Config } from '../../../config.ts'
import { MOST_PASSKEYS, relyingPartyOf } from './passkeys.rules.ts'
import { countPasskeys, selectIsPinned, selectPasskeys, selectPublicKeys } from './passkeys.sql.ts'

export async function hasPasskey(db: Db, memberId: bigint): Promise<boolean> {
  return (await countPasskeys(db, memberId)) > 0
}

/** Whether only this passkey moves the member's money, or is to from now on. */
export async function isPasskeyPinned(db: Db, memberId: bigint, credentialId: string): Promise<boolean> {
  return selectIsPinned(db, memberId, credentialId)
}

export async function listPasskeys(
  db: Db,
  memberId: bigint,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<Passkeys> {
  const rows = await selectPasskeys(db, memberId)
  return {
    results: rows.map(({ credential_id: id, name, made_at, used_at }) => ({
      id,
      name,
      made_at: made_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
    most: MOST_PASSKEYS,
    origin: new URL(publicUrl).origin,
    available: relyingPartyOf(publicUrl) !== null,
  }
}

/** A member's passkeys with what their hash is made of, oldest first. */
export function listPublicKeys(db: Db, memberId: bigint) {
  return selectPublicKeys(db, memberId)
}
