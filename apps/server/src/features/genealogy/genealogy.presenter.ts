import type { Referral } from '@aval/contract'
import type { ReferralRow } from './genealogy.queries.ts'

/** A row of GET tree/get-referrals/. */
export function presentReferral(row: ReferralRow): Referral {
  return {
    id: Number(row.id),
    date: row.joined_at.toISOString(),
    status: row.principal > 0n,
    is_master_code: row.is_master,
    referred_username: row.username,
    referred_email: row.email,
    referred_phone_number: row.phone_number,
  }
}
