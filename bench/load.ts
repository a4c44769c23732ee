/**
 * Loads a generated network into a fresh, migrated database, as the owner of its tables.
 *
 * What the tables hold afterwards is what the product's commands would have written, members one by one: the check of the
 * ledger finds nothing. Balances follow from postings through the ledger's own trigger; nothing writes them here.
 */
import type pg from 'pg'
import { analyse, asOwner } from './database.sql.ts'
import {
  dropIndexes,
  emptyTables,
  extendPostings,
  type InvestmentDates,
  insertInvestments,
  insertPeople,
  insertStructure,
  lookUpByIndex,
  MOST_REF_CODES,
  makeIndexes,
  postInvestments,
  refuseFilled,
  STRUCTURE_COLUMNS,
  setSequences,
  storePlan,
  tablesOf,
} from './load.sql.ts'
import { msSince } from './measures.ts'
import { AMOUNTS, type Network } from './network.ts'

/** Members a statement: with 20,000 it is as fast, with 100,000 a tenth slower. */
export const BATCH = 50_000

/** Nobody's password, of the length of a real one. */
const PASSWORD_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** History is numbered in the order of its dates: what was invested earlier has the smaller numbers. */
export interface LoadDates {
  /** The first member and the last; the others evenly between. */
  readonly joined: readonly [Date, Date]
  /** First and last investment before today. */
  readonly earlier: readonly [Date, Date]
  readonly today: readonly [Date, Date]
}

export interface LoadOptions {
  /** What the first member is called; `m1` when absent. */
  readonly root?: string
  /** The last block in which the money came: each transfer in one of its own when absent. */
  readonly block?: number
  /** What everybody signs in with; nothing fits when absent. */
  readonly passwordHash?: string
  readonly ownerUrl: string
  readonly network: Network
  /** Leaves out the people, their addresses, and the invoices and transfers that their money came by. */
  readonly thin: boolean
  readonly dates: LoadDates
  readonly tell: (line: string) => void
}

export type Loaded = Awaited<ReturnType<typeof loadNetwork>>

type Investments = ReturnType<typeof earlierInvestments>

function* rangesOf(members: number) {
  for (let first = 1; first <= members; first += BATCH)
    yield { first, last: Math.min(members, first + BATCH - 1) }
}

const literal = (values: { join(separator: string): string }) => `{${values.join(',')}}`

const principalOf = (network: Network, id: number): bigint => AMOUNTS[network.principal[id] ?? 0] ?? 0n

/** What these members had invested before today. */
function earlierInvestments(network: Network, { first, last }: { first: number; last: number }) {
  const members: number[] = []
  for (let id = first; id <= last; id += 1) if (principalOf(network, id) > 0n) members.push(id)
  return { members, amounts: members.map((id) => principalOf(network, id)), befores: members.map(() => 0n) }
}

/** A hundredth of the network: one batch of 100,000 at ten million members. */
function todaysInvestments(network: Network): Investments {
  const members = [...network.todays]
  const amounts = Array.from(network.todaysAmount, (index) => AMOUNTS[index] ?? 0n)
  return { members, amounts, befores: members.map((id) => principalOf(network, id)) }
}

/** Says every ten seconds, and at the end of a part, how far it is. */
function progressOf(tell: LoadOptions['tell'], members: number) {
  let saidAt = performance.now()
  let begun = performance.now()
  return (part: string, done: number) => {
    if (done < members && msSince(saidAt) < 10_000) return
    saidAt = performance.now()
    tell(
      `  ${part}: ${done.toLocaleString('en')} of ${members.toLocaleString('en')} in ${(msSince(begun) / 1000).toFixed(1)} s`,
    )
    if (done >= members) begun = saidAt
  }
}

type Progress = ReturnType<typeof progressOf>

function joiningDates({ network, dates }: LoadOptions) {
  const [oldest, newest] = dates.joined
  return { to: network.members, oldest, newest }
}

async function writeTrees(client: pg.Client, options: LoadOptions, progress: Progress): Promise<void> {
  const { network } = options
  for (const { first, last } of rangesOf(network.members)) {
    const columns = STRUCTURE_COLUMNS.map((name) => literal(network[name].subarray(first, last + 1)))
    await insertStructure(client, first, columns, joiningDates(options))
    progress('both trees and accounts', last)
  }
}

async function writePeople(client: pg.Client, options: LoadOptions, progress: Progress): Promise<void> {
  const { members } = options.network
  const { passwordHash = PASSWORD_HASH, root = 'm1' } = options
  const withRefCodes = members < MOST_REF_CODES
  const people = { joined: joiningDates(options), passwordHash, withRefCodes, root }
  for (const range of rangesOf(members)) {
    await insertPeople(client, range, people)
    progress('people', range.last)
  }
}

/** Investments before today first, member by member, then today's: numbered in this order. */
async function writeInvestments(client: pg.Client, options: LoadOptions, progress: Progress) {
  const { network, thin, dates, block = 2 ** 31 - 1 } = options
  const earlier = network.principal.reduce((count, index) => count + Math.sign(index), 0)
  const all = earlier + network.todays.length
  let written = 0
  let invested = 0n
  const write = async ({ members, amounts, befores }: Investments, when: InvestmentDates) => {
    const arrays = { member: literal(members), amount: literal(amounts), before: literal(befores) }
    await insertInvestments(client, { first: written + 1, ...arrays }, when, { thin, block })
    written += members.length
    invested += amounts.reduce((sum, amount) => sum + amount, 0n)
  }
  const [first, last] = dates.earlier
  for (const range of rangesOf(network.members)) {
    await write(earlierInvestments(network, range), { from: 0, to: earlier, oldest: first, newest: last })
    progress('investments', range.last)
  }
  const [opening, closing] = dates.today
  await write(todaysInvestments(network), { from: earlier, to: all, oldest: opening, newest: closing })
  return {
    /** How many were made before today; theirs are the first numbers. */
    earlier,
    investments: written,
    /** Everything that was ever invested, in micro-USDT. */
    invested,
  }
}

/** Everything but the ledger, in one transaction. */
async function writeTables(client: pg.Client, options: LoadOptions, progress: Progress) {
  const { network, thin } = options
  const tables = tablesOf(thin)
  await client.query('BEGIN')
  await emptyTables(client, tables)
  const indexes = await dropIndexes(client, tables)
  await writeTrees(client, options, progress)
  if (!thin) await writePeople(client, options, progress)
  const written = await writeInvestments(client, options, progress)
  await makeIndexes(client, indexes)
  await setSequences(client, { member: network.members, investment: written.investments })
  await client.query('COMMIT')
  progress('indexes', network.members)
  return written
}

/** @throws when the database holds members already */
export async function loadNetwork(options: LoadOptions) {
  const begun = performance.now()
  const progress = progressOf(options.tell, options.network.members)
  return asOwner(options.ownerUrl, async (client) => {
    await refuseFilled(client)
    await storePlan(client)
    const loaded = await writeTables(client, options, progress)
    await extendPostings(client, loaded.investments)
    await lookUpByIndex(client)
    for (const range of rangesOf(options.network.members)) {
      await postInvestments(client, range, options.thin)
      progress('journals and postings', range.last)
    }
    await analyse(client)
    progress('vacuum, statistics and checkpoint', options.network.members)
    return { ...loaded, ms: msSince(begun) }
  })
}
