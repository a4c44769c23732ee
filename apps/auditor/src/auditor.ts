/**
 * Computes sealed runs again from the closed inputs, by formulas of its own, and says what each comes to. It shares no code with the worker
 * that sealed them, and can do nothing but say so.
 */
import { createHash } from 'node:crypto'
import type { Database, Db } from '@aval/db'
import { matchOf } from './binary.rules.ts'
import { compare, type Difference, type Rows } from './compare.rules.ts'
import { commissionsOf } from './direct.rules.ts'
import { millionths } from './exact.rules.ts'
import * as store from './inputs.sql.ts'
import { dayOf, pagesOf } from './passive.rules.ts'
import { type Plan, readPlan, VERSION } from './plan.rules.ts'
import { BLOCK, type Page, Sealing } from './seal.rules.ts'
import * as stored from './sealed.sql.ts'

export interface Said {
  readonly run: bigint
  readonly verdict: string
}

/** Pages compared at a time where a day differs. */
const GROUP = 32

/** Principal of all members at an instant, kept from one run to the next: later ones add what came in between. */
class Principals {
  #at: Date | null = null
  #amounts = new BigInt64Array(0)

  async before(db: Db, instant: Date, size: number): Promise<BigInt64Array> {
    const isLater = this.#at !== null && this.#at <= instant && size >= this.#amounts.length
    const amounts = new BigInt64Array(size)
    if (isLater) amounts.set(this.#amounts)
    await store.addPrincipals(db, amounts, isLater ? this.#at : null, instant)
    this.#at = instant
    this.#amounts = amounts
    return amounts
  }
}

interface Recomputed {
  readonly sealing: Sealing
  readonly differences: () => Promise<Difference[]>
}

async function passive(tx: Db, run: store.Run, plan: Plan, principals: Principals): Promise<Recomputed> {
  const size = await store.networkSize(tx)
  const day = dayOf(plan, run.period, run.declared === null ? null : millionths(run.declared))
  const had = await principals.before(tx, run.cutoff_at, size)
  const earned = day.capMultiple === null ? null : await store.readEarned(tx, size, run)
  const sealing = new Sealing(() => createHash('sha256'))
  for (const page of pagesOf(day, had, earned)) {
    sealing.page(page)
    for (const missed of page.missed) sealing.missed(missed)
  }
  const differences = async () => {
    const found: Difference[] = []
    const pages = pagesOf(day, had, earned)
    let next = pages.next()
    for (let from = 0; from * BLOCK < size; from += GROUP) {
      const group: Page[] = []
      for (; next.done !== true && next.value.block < from + GROUP; next = pages.next())
        group.push(next.value)
      compare(
        { pages: await stored.selectPages(tx, run.id, from, from + GROUP - 1) },
        { pages: group },
        found,
      )
    }
    const missed = [...pagesOf(day, had, earned)].flatMap((page) => page.missed)
    compare({ missed: await stored.selectMissed(tx, run.id) }, { missed }, found)
    return found
  }
  return { sealing, differences }
}

/** Of a batch or a match, whose rows are few enough to be kept. */
function ofRows(tx: Db, run: store.Run, rows: Required<Omit<Rows, 'pages'>>): Recomputed {
  const sealing = new Sealing(() => createHash('sha256'))
  for (const item of rows.items) sealing.item(item)
  for (const missed of rows.missed) sealing.missed(missed)
  for (const carry of rows.carries) sealing.carry(carry)
  const differences = async () => {
    const found: Difference[] = []
    compare({ items: await stored.selectItems(tx, run.id) }, { items: rows.items }, found)
    compare({ missed: await stored.selectMissed(tx, run.id) }, { missed: rows.missed }, found)
    compare({ carries: await stored.selectCarries(tx, run.id) }, { carries: rows.carries }, found)
    return found
  }
  return { sealing, differences }
}

async function direct(tx: Db, run: store.Run, plan: Plan): Promise<Recomputed> {
  const batch = await store.selectBatch(tx, run)
  const investors = [...new Set(batch.map(({ member }) => member))]
  const upline = await store.readUpline(tx, await store.networkSize(tx), investors, run)
  return ofRows(tx, run, { ...commissionsOf(plan, batch, upline), carries: [] })
}

async function binary(tx: Db, run: store.Run, plan: Plan, principals: Principals): Promise<Recomputed> {
  const size = await store.networkSize(tx)
  const inputs = {
    ...(await store.readTrees(tx, size)),
    principals: await principals.before(tx, run.cutoff_at, size),
    movements: await store.selectMovements(tx, run),
    ...(await store.readCarried(tx, size, run)),
  }
  return ofRows(tx, run, matchOf(plan, inputs))
}

const KINDS = { passive, direct, binary }

/** @param knows how a plan is read */
export function createAuditor(db: Database, knows: typeof readPlan = readPlan) {
  const principals = new Principals()

  async function audit(run: store.Run): Promise<Said> {
    const read = knows(run.document)
    const said =
      'unknown' in read
        ? {
            ...{ hash: null, count: null, sum: null, differences: [] },
            reason: `plan ${run.plan_version}: ${read.unknown}`,
          }
        : await store.inSnapshot(db, async (tx) => {
            const { sealing, differences } = await KINDS[run.kind](tx, run, read.plan, principals)
            const hash = sealing.hash()
            const found = hash === run.items_hash ? [] : await differences()
            return { hash, count: sealing.count, sum: sealing.sum, differences: found, reason: null }
          })
    return { run: run.id, verdict: await store.recordAudit(db, run.id, { ...said, version: VERSION }) }
  }

  /** Says something of every sealed run that waits for it. A run that cannot be read keeps no other from its turn. */
  async function step(heard: (said: Said) => void = () => undefined): Promise<number> {
    let count = 0
    const failures: unknown[] = []
    for (let after = -1n; ; ) {
      const run = await store.selectWaiting(db, after, VERSION)
      if (run === undefined) break
      after = run.id
      try {
        heard(await audit(run))
        count += 1
      } catch (error) {
        failures.push(error)
      }
    }
    const [first] = failures
    if (first !== undefined) throw first
    return count
  }

  return { step }
}
