/** The independent auditor: the rows by themselves, and the rows against what the chain really is, whatever nodes say of it. */
import type { Devnet } from '@aval/devnet'
import { DEVNET, decodeTransfer, type TronAddress } from '@aval/tron'
import type pg from 'pg'
import { z } from 'zod'
import {
  type Credit,
  type KnownPayment,
  readBooks,
  readCursor,
  readRows,
  readUnsettled,
} from './auditor.sql.ts'

/** A Transfer event of the pinned token that really happened. */
interface Happened {
  readonly txid: string
  readonly position: number
  readonly block: number
  readonly from: TronAddress
  readonly to: TronAddress
  readonly value: bigint
}

export type Auditor = ReturnType<typeof createAuditor>

export interface Watched {
  readonly owner: pg.Pool
  readonly devnet: Devnet
  readonly hot: TronAddress
  readonly cold: TronAddress
  readonly deposits: readonly TronAddress[]
}

export function createAuditor(watched: Watched) {
  const { owner, devnet, hot, cold, deposits } = watched
  const chain = readChain(devnet)
  const ours = new Set<string>([hot, cold, ...deposits])
  return {
    /** Everything that is wrong now; nothing is fine. */
    async audit(): Promise<string[]> {
      const { faults, payments, credits } = await readRows(owner)
      const happened = chain()
      const solid = devnet.chain.solid().number
      const now = devnet.chain.head().timestamp
      return [
        ...faults,
        ...creditedTooSoon(credits, happened, solid),
        ...unexplained(payments, happened, ours),
        ...twice(payments, happened, now),
        ...settledOnHearsay(payments, happened, solid),
      ]
    },
    /** What has not come to rest yet. */
    async unsettled(): Promise<string[]> {
      const [lines, cursor] = await Promise.all([readUnsettled(owner), readCursor(owner)])
      return [...lines, ...unread(chain(), ours, cursor)]
    },
    /** Once at rest: whether the chain holds what the books say, wallet by wallet. */
    async compare(): Promise<string[]> {
      const books = await readBooks(owner)
      const sum = async (addresses: readonly TronAddress[]) => {
        let total = 0n
        for (const address of addresses) total += await devnet.wallet.usdtOf(address)
        return total
      }
      const found = {
        'custody:hot': await sum([hot]),
        'custody:cold': await sum([cold]),
        'custody:deposits': await sum(deposits),
      }
      return Object.entries(found).flatMap(([account, amount]) =>
        books.get(account) === amount
          ? []
          : [`${account}: the chain has ${amount}, the books ${books.get(account)}`],
      )
    },
  }
}

const logRow = z.object({
  block: z.number(),
  txid: z.string(),
  position: z.number(),
  topics: z.string(),
  data: z.string(),
})

/** Every transfer of the pinned token in the true chain; only what is new is read. */
function readChain(devnet: Devnet): () => ReadonlyMap<string, Happened[]> {
  const byTxid = new Map<string, Happened[]>()
  let through = 0
  return () => {
    const { store } = devnet.chain.ledger
    const rows = store.all(
      logRow,
      'select block, txid, log_index as position, topics, data from logs where block > ? and contract = ? order by block, position, log_index',
      through,
      DEVNET.usdt,
    )
    through = devnet.chain.head().number
    for (const { block, txid, position, topics, data } of rows) {
      const transfer = decodeTransfer({ contract: DEVNET.usdt, topics: topics.split(','), data })
      if (transfer === null) continue
      byTxid.set(txid, [...(byTxid.get(txid) ?? []), { ...transfer, txid, position, block }])
    }
    return byTxid
  }
}

type Chain = ReadonlyMap<string, readonly Happened[]>

/** What has come to us in blocks that the gateway has yet to reach: the books cannot know of it. */
function unread(chain: Chain, ours: ReadonlySet<string>, cursor: number): string[] {
  return [...chain.values()]
    .flat()
    .filter(({ to, block }) => ours.has(to) && block > cursor)
    .map(({ txid, block }) => `block ${block} with ${txid} is not read`)
}

function creditedTooSoon(credits: readonly Credit[], chain: Chain, solid: number): string[] {
  return credits.flatMap(({ txid, position, value }) => {
    const real = chain.get(txid)?.find((each) => each.position === position)
    if (real === undefined) return [`${txid}:${position} was credited and never happened`]
    if (real.block > solid) return [`${txid}:${position} was credited before it was solid`]
    return real.value === BigInt(value) ? [] : [`${txid}:${position} was credited with another amount`]
  })
}

/** Nothing leaves an address of ours but what was prepared, as it was prepared. */
function unexplained(payments: readonly KnownPayment[], chain: Chain, ours: ReadonlySet<string>): string[] {
  const known = new Map(payments.map((payment) => [payment.txid, payment]))
  return [...chain.values()].flat().flatMap(({ txid, from, to, value }) => {
    if (!ours.has(from)) return []
    const payment = known.get(txid)
    if (payment === undefined) return [`${txid} left ${from} and was never prepared`]
    // A token that charges a fee sends a part of it elsewhere.
    const isPart = to !== payment.to
    if (!isPart && value > BigInt(payment.amount))
      return [`${txid} sent ${value} instead of ${payment.amount}`]
    return []
  })
}

/** Of one withdrawal, what arrived and what can still arrive are one transfer at most. */
function twice(payments: readonly KnownPayment[], chain: Chain, now: number): string[] {
  const possible = new Map<string, number>()
  for (const { txid, withdrawal, signed, expires } of payments) {
    if (withdrawal === null || !signed) continue
    if (chain.has(txid) || expires > now) possible.set(withdrawal, (possible.get(withdrawal) ?? 0) + 1)
  }
  return [...possible].flatMap(([withdrawal, count]) =>
    count > 1 ? [`withdrawal ${withdrawal} has ${count} transfers that arrived or can arrive`] : [],
  )
}

function settledOnHearsay(payments: readonly KnownPayment[], chain: Chain, solid: number): string[] {
  return payments.flatMap(({ txid, purpose, state, to }) => {
    if (purpose === 'trx_topup' || (state !== 'settled' && state !== 'failed' && state !== 'expired'))
      return []
    const real = chain.get(txid)?.find((each) => each.to === to)
    if (state === 'settled' && (real === undefined || real.block > solid))
      return [`${txid} was settled on hearsay`]
    return state !== 'settled' && real !== undefined ? [`${txid} is called ${state} and arrived`] : []
  })
}
