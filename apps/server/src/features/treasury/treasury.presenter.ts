import type { OperatorTreasury, PoolFunding, PoolName } from '@aval/contract'
import { formatAmount } from '@aval/money'
import type { Config } from '../../config.ts'
import { FEW_ADDRESSES } from '../deposit-addresses/deposit-addresses.queries.ts'
import { presentCover, presentFailing, presentStop } from '../overview/overview.presenter.ts'
import type { FundingRow, Treasury } from './treasury.queries.ts'

/** The kinds of posting that fill a pool, take from it for runs, and give back to it. */
const MOVED: Readonly<
  Record<PoolName, Readonly<Record<'funded' | 'released' | 'returned', readonly string[]>>>
> = {
  profit: {
    funded: ['fund_profit'],
    released: ['release_profit'],
    returned: ['clawback_profit', 'recover_profit'],
  },
  commission: {
    funded: ['fund_commission'],
    released: ['release_commission'],
    returned: ['clawback_commission', 'recover_commission'],
  },
}

function movementsOf(pool: PoolName, days: Treasury['days']) {
  const moved = MOVED[pool]
  const kinds = new Set(Object.values(moved).flat())
  const ofPool = days.filter(({ kind }) => kinds.has(kind))
  return [...new Set(ofPool.map(({ day }) => day))].map((day) => {
    const sumOf = (way: keyof typeof moved) =>
      formatAmount(
        ofPool.reduce(
          (sum, each) => (each.day === day && moved[way].includes(each.kind) ? sum + each.amount : sum),
          0n,
        ),
      )
    return { day, funded: sumOf('funded'), released: sumOf('released'), returned: sumOf('returned') }
  })
}

const pageOf = (config: Config, address: string | null) =>
  address === null || config.explorerUrl === null ? null : `${config.explorerUrl}/address/${address}`

function presentWallets(config: Config, { wallets, addresses }: Treasury): OperatorTreasury['wallets'] {
  return (['hot', 'cold', 'deposits'] as const).map((role) => {
    const wallet = wallets.find(({ account }) => account === `custody:${role}`)
    const address = role === 'deposits' ? null : addresses[role]
    return {
      role,
      address,
      explorer_url: pageOf(config, address),
      amount: formatAmount(wallet?.amount ?? 0n),
      trx: wallet === undefined || wallet.trx === null ? null : formatAmount(wallet.trx),
      read_at: wallet?.read_at?.toISOString() ?? null,
    }
  })
}

/** GET operator/treasury/ */
export function presentTreasury(config: Config, treasury: Treasury): OperatorTreasury {
  const { house, address, asOf, pools, days, fees, chain, failing, stop, stops, stock } = treasury
  return {
    capital: formatAmount(house.get('company:capital') ?? 0n),
    company_address: address,
    company_address_url: address === null ? null : pageOf(config, address),
    as_of: asOf.get('days')?.toISOString() ?? null,
    pools: pools.map((pool) => ({
      ...presentCover(pool),
      due: formatAmount(pool.due),
      movements: movementsOf(pool.pool, days),
    })),
    wallets: presentWallets(config, treasury),
    fees: fees.map(({ purpose, transfers, sun }) => ({ purpose, transfers, trx: formatAmount(sun) })),
    chain: {
      head: Number(chain?.head ?? 0n),
      solid: Number(chain?.solid ?? 0n),
      scanned: Number(chain?.scanned ?? 0n),
      read_at: chain?.read_at?.toISOString() ?? null,
      gateway: chain?.gateway ?? '',
      leads_until: chain?.leads_until?.toISOString() ?? null,
      addresses_left: stock.unclaimed,
      addresses_few: stock.unclaimed < FEW_ADDRESSES,
    },
    failing: presentFailing(failing),
    stop: presentStop(stop),
    stops: stops.map(({ id, at, resumed_at, ...words }) => ({
      ...words,
      id: Number(id),
      at: at.toISOString(),
      resumed_at: resumed_at?.toISOString() ?? null,
    })),
  }
}

/** A row of GET operator/pools/fundings/. */
export const presentFunding = ({ id, pool, amount, at, by, reason }: FundingRow): PoolFunding => ({
  id: Number(id),
  pool,
  amount: formatAmount(amount),
  date: at.toISOString(),
  by,
  reason,
})
