import type { Database, Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { exportSnapshot, inSnapshot } from '../core/query.sql.ts'
import {
  chooseReading,
  countRows,
  findOrName,
  type Look,
  membersThatDiffer,
  selectBacking,
  selectRunsOfNoDay,
  storedCustody,
  storedHouse,
  sumAccounts,
} from './check.sql.ts'
import { findLegFaults } from './check-legs.ts'
import { QUESTIONS } from './faults.sql.ts'
import { looksAtSeals } from './seals.sql.ts'

export interface LedgerReport {
  readonly accounts: readonly { readonly account: string; readonly amount: string }[]
  /** `uncredited` and `unbooked` transfers and `uncommissioned` investments wait for their job: work, not a fault. */
  readonly counts: Readonly<Record<string, number>>
  /** One sentence each; empty when the ledger is clean. */
  readonly faults: readonly string[]
}

export interface Reading {
  /** Every posting since the first, instead of going on from the sealed parts of the ledger. */
  readonly whole?: boolean
  /** Hears of each step before it begins, of so many. */
  readonly progress?: (step: number, steps: number) => void
  /** How many connections read the same moment side by side: 1 where nothing is said, 2 at the most. */
  readonly readers?: 1 | 2
}

const sumsOf = async (db: Db) =>
  new Map((await sumAccounts(db)).map(({ account, amount }) => [account, amount]))

const questioned: readonly Look[] = Object.entries(QUESTIONS).map(([sentence, count]) => ({
  of: `whether ${sentence}`,
  find: async (db) => {
    const { rows } = await count.execute(db)
    const times = rows[0]?.count ?? 0
    return times === 0 ? [] : [`${times} ${sentence}`]
  },
}))

/** What is stored against what its postings, or the chain, say. */
const storedLooks = (summed: ReadonlyMap<string, bigint>): Look[] => [
  {
    of: 'of what day each run is',
    find: async (db) =>
      (await selectRunsOfNoDay(db)).map(
        ({ id, kind, period }) => `run ${id}, ${kind}, is of no day: ${JSON.stringify(period)}`,
      ),
  },
  {
    of: 'what members have',
    find: async (db) =>
      (await membersThatDiffer(db)).map(
        (row) =>
          `member ${row.member_id}: ${row.account} is stored as ${row.stored}, its postings say ${row.summed}`,
      ),
  },
  {
    of: 'what backs what is owed',
    find: async (db) => {
      const { arrived, owed } = await selectBacking(db)
      return arrived === owed
        ? []
        : [`${arrived} arrived on the chain, was credited and has not left, ${owed} is owed for it`]
    },
  },
  {
    of: 'what the company has',
    find: async (db) => {
      const house = (await storedHouse(db)).filter(
        ({ account, amount }) => (summed.get(account) ?? 0n) !== amount,
      )
      const assets = await storedCustody(db)
      const custody = assets.filter(({ account, amount }) => (summed.get(account) ?? 0n) !== -amount)
      return [...house, ...custody].map(
        ({ account, amount }) => `${account} is stored as ${amount}, its postings say otherwise`,
      )
    },
  },
]

/** Each reader takes the next look when it is done with one. @returns the faults in the order of the looks */
async function lookAll(
  readers: readonly Db[],
  looks: readonly Look[],
  progress: Reading['progress'],
): Promise<string[]> {
  const found: (readonly string[])[] = []
  const waiting = looks.entries()
  await Promise.all(
    readers.map(async (reader) => {
      for (const [place, look] of waiting) {
        progress?.(place + 1, looks.length)
        found[place] = await findOrName(reader, look)
      }
    }),
  )
  return [...new Set(found.flat())]
}

/** The check in transactions of the caller's, which see one moment of everything. */
async function inspect(readers: readonly [Db, ...Db[]], { whole = false, progress }: Reading) {
  for (const reader of readers) await chooseReading(reader, whole)
  const [first] = readers
  let summed: ReadonlyMap<string, bigint> = new Map()
  const unread = await findOrName(first, {
    of: 'what the accounts hold',
    find: async (db) => {
      summed = await sumsOf(db)
      return []
    },
  })
  const claims = (summed.get('receivable') ?? 0n) + (summed.get('company:claims') ?? 0n)
  // What takes longest goes first, so that no reader waits for the other at the end.
  const legs = { of: 'of the legs, from the first match', find: findLegFaults }
  const looks = [legs, ...storedLooks(summed), ...(await looksAtSeals(first, whole)), ...questioned]
  const faults = [
    ...unread,
    ...(claims === 0n ? [] : ['what members owe and what the company claims do not cancel out']),
    ...(await lookAll(readers, looks, progress)),
  ]
  const accounts = [...summed].map(([account, amount]) => {
    const asset = account.startsWith('custody:')
    return { account, amount: formatMicro(micro(asset ? -amount : amount)) }
  })
  return { accounts, counts: await countRows(first), faults }
}

/** The check in the caller's transaction, which sees one moment of everything. */
export const inspectLedger = (tx: Db, reading: Reading = {}): Promise<LedgerReport> => inspect([tx], reading)

/**
 * Reads the ledger, from its seals or whole, and recomputes what is stored: every account from its postings, every credit against the chain
 * it came from, every run against its sealed items and the history it was computed from, every reversal against what had
 * been paid, every withdrawal against its hold and the transfer that ended it, every leg of the binary tree from its
 * beginning. From the seals, what sealed parts paid is taken as it was sealed. Changes nothing.
 *
 * @param db with a connection for each reader
 */
export function checkLedger(db: Database, reading: Reading = {}): Promise<LedgerReport> {
  return inSnapshot(db, async (tx) =>
    reading.readers === 2
      ? inSnapshot(db, (other) => inspect([tx, other], reading), await exportSnapshot(tx))
      : inspect([tx], reading),
  )
}
