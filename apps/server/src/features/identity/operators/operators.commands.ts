import type { Db } from '@aval/db'
import type { Config } from '../../../config.ts'
import { findByUsername } from '../members/members.queries.ts'
import { updateMember } from '../members/members.sql.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret } from '../second-factor/totp-setup.commands.ts'

/** What to hand over to a new operator; null where two-factor was on already. */
export interface Appointed {
  readonly setUp: { readonly secret: string; readonly uri: string } | null
}

/**
 * Gives the operator's rights. Two-factor comes first, and with it the end of every session: there is no operator without.
 *
 * @param renew makes a new secret although there is one, for an operator who lost the phone
 * @param now system time
 * @returns null when nobody is called so
 */
export async function appoint(
  { db, config }: { readonly db: Db; readonly config: Pick<Config, 'sealKey'> },
  username: string,
  renew: boolean,
  now: Date,
): Promise<Appointed | null> {
  const memberId = await findByUsername(db, username)
  if (memberId === null) return null
  const isNeeded = renew || !(await hasSecondFactor(db, memberId))
  const setUp = isNeeded ? await assignTotpSecret({ db, config }, memberId, newTotpSecret(), now) : null
  await updateMember(db, memberId, { is_operator: true })
  return { setUp }
}

/** Takes the operator's rights, from the next call on. False when nobody is called so. */
export async function dismiss(db: Db, username: string): Promise<boolean> {
  const memberId = await findByUsername(db, username)
  if (memberId !== null) await updateMember(db, memberId, { is_operator: false })
  return memberId !== null
}
