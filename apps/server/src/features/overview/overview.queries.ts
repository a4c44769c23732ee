import type { Db } from '@aval/db'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { depositAddressOf } from '../investments/investments.queries.ts'
import { selectAwaitingByKind, selectChain, selectHouse, selectTotals } from './overview.sql.ts'

/** Where every micro-USDT is, and which runs wait for money. */
export async function readOverview(db: Db) {
  const [totals, house, awaiting, chain, companyAddress] = await Promise.all([
    selectTotals(db),
    selectHouse(db),
    selectAwaitingByKind(db),
    selectChain(db),
    depositAddressOf(db, HOUSE),
  ])
  return { totals, house, awaiting, chain, companyAddress }
}

export type Overview = Awaited<ReturnType<typeof readOverview>>
