import type { Passkeys } from '@aval/contract'
import type { Db } from '@aval/db'
import type { Config } from '../../../config.ts'
import { MOST_PASSKEYS, relyingPartyOf } from './passkeys.rules.ts'
import { countPasskeys, selectPasskeys } from './passkeys.sql.ts'

export async function hasPasskey(db: Db, memberId: bigint): Promise<boolean> {
  return (await countPasskeys(db, memberId)) > 0
}

/** Whether the member has chosen that only their passkeys move money. Nobody can choose that yet. */
export async function isPasskeyPinned(_db: Db, _memberId: bigint): Promise<boolean> {
  return false
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
