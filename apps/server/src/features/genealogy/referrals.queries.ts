/** A sponsor's own referrals, with what each invested, brought and earned the sponsor. */
import {
  type Locale,
  REFERRALS_LOOKED_AT,
  type Referral,
  type ReferralOrder,
  type ReferralStatus,
} from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { formatAmount } from '@aval/money'
import { fold } from '../../core/fold.rules.ts'
import { atOneMoment } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { volumesOf } from './downline.queries.ts'
import { selectAsOf, selectCounted } from './downline.sql.ts'
import { type ReferralRow, selectByDate, selectFound, selectReferrals } from './referrals.sql.ts'
import { selectFolded } from './search.sql.ts'

interface Wanted {
  /** Undefined for all of them. */
  readonly status?: ReferralStatus | undefined
  /** Beginnings of names, or of an address. */
  readonly q?: string | undefined
  readonly order: ReferralOrder
  readonly locale: Locale
  readonly pageSize: number
  readonly offset: number
}

const present = (row: ReferralRow, volume: bigint): Referral => ({
  id: Number(row.id),
  date: row.joined_at.toISOString(),
  status: row.principal > 0n,
  is_master_code: row.is_master,
  referred_username: row.username,
  referred_email: row.email,
  referred_phone_number: row.phone_number,
  invested: formatAmount(row.principal),
  brought: formatAmount(volume - row.principal),
  earned: formatAmount(row.earned),
})

async function find(tx: Tx, memberId: bigint, { status, q, order, locale, pageSize: limit, offset }: Wanted) {
  const { direct } = await selectCounted(tx, memberId)
  const isByDate = order === '-date' || order === 'date'
  if (isByDate && q === undefined && status === undefined) {
    const part = { count: direct, limit, offset }
    return { count: direct, ids: await selectByDate(tx, memberId, order === '-date', part) }
  }
  if (direct > REFERRALS_LOOKED_AT && !(isByDate && q === undefined))
    throw new Refusal('too_many_referrals', { limit: REFERRALS_LOOKED_AT })
  const words = q === undefined ? [] : (await selectFolded(tx, q)).split(' ').filter((word) => word !== '')
  const called = q === undefined ? null : { text: fold(q), words }
  const asOf = await selectAsOf(tx)
  return selectFound(tx, memberId, asOf, { status, called, order, locale, limit, offset })
}

/** A page of the members whom the member introduced. @throws Refusal `too_many_referrals` */
export function listReferrals(db: Db, memberId: bigint, wanted: Wanted) {
  return atOneMoment(db, async (tx) => {
    const { count, ids } = await find(tx, memberId, wanted)
    const rows = await selectReferrals(tx, memberId, ids)
    const volumes = await volumesOf(tx, 'unilevel', ids)
    return { count, results: rows.map((row, index) => present(row, volumes[index] ?? row.principal)) }
  })
}
