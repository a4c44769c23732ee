/** Numbering both trees again, in the background: readers see the old numbering until the new one is whole. */

import { type Database, inTransaction, type Tx } from '@aval/db'
import { numberTree } from '@aval/genealogy'
import type { JobContext } from '../../core/context.ts'
import { drawNumber } from '../../core/network.sql.ts'
import { type Anchor, anchorsOf, MOST_MOVED, type Newcomer, numberingIsDue } from './numbering.rules.ts'
import * as store from './numbering.sql.ts'

/** Under whom everybody who joined meanwhile stands in one tree. */
async function anchorsIn(
  tx: Tx,
  generation: number,
  tree: store.Tree,
  newcomers: readonly Newcomer[],
  aboveOf: (newcomer: Newcomer) => bigint | null,
): Promise<Map<bigint, Anchor>> {
  const above = new Map(newcomers.map((newcomer) => [newcomer.id, aboveOf(newcomer)]))
  const ids = new Set([...above.values()].filter((id) => id !== null))
  return anchorsOf(above, await store.selectNumbered(tx, generation, tree, [...ids]))
}

/** The last step: registrations wait while who joined since the trees were read gets positions of the new numbering. */
async function takeOver(tx: Tx, next: { generation: number; members: number; asOf: bigint; at: Date }) {
  await store.holdJoining(tx)
  const newcomers = await store.selectNewcomers(tx)
  if (newcomers.length > 0) {
    const { generation } = next
    const sponsors = await anchorsIn(tx, generation, 'unilevel', newcomers, ({ sponsorId }) => sponsorId)
    const places = await anchorsIn(tx, generation, 'binary', newcomers, ({ parentId }) => parentId)
    await store.updateAnchors(tx, sponsors, places)
  }
  await store.setGeneration(tx, next)
}

/** What a test does while a numbering is under way. */
export interface NumberingSteps {
  readonly read?: () => Promise<unknown>
  readonly written?: () => Promise<unknown>
}

/**
 * Numbers both trees. One transaction writes the whole numbering and puts it in force; killed anywhere, nothing has changed.
 *
 * @param at the system's time
 * @returns how many have a number, or null where there is nobody, or another numbering is under way
 */
export async function numberTrees(
  db: Database,
  at: Date,
  steps: NumberingSteps = {},
): Promise<number | null> {
  // Every change of principal has a lower number and is committed, or a higher one.
  const asOf = await inTransaction(db, drawNumber)
  const network = await store.readNetwork(db, asOf)
  const { root } = network
  if (root === 0) return null
  const unilevel = numberTree(root, network.sponsors, network.principals)
  const binary = numberTree(root, network.parents, network.principals)
  if (unilevel.members !== binary.members)
    throw new Error(`${unilevel.members} members have a sponsor and ${binary.members} a place`)
  await steps.read?.()
  return inTransaction(db, async (tx) => {
    if (!(await store.claimNumbering(tx, network.generation))) return null
    const generation = network.generation + 1
    await store.insertNumbering(tx, generation, 'unilevel', unilevel)
    await store.insertNumbering(tx, generation, 'binary', binary)
    await store.dropReplaced(tx, generation)
    await steps.written?.()
    await takeOver(tx, { generation, members: unilevel.members, asOf, at })
    return unilevel.members
  })
}

/** Numbers the trees when enough has changed since. @param at the system's time */
export async function numberWhenDue(db: Database, at: Date): Promise<number | null> {
  return numberingIsDue(await store.selectFacts(db, at, MOST_MOVED)) ? numberTrees(db, at) : null
}

export const genealogyJobs = ({ db, systemNow }: JobContext) => ({
  'genealogy.number': async () => {
    await numberWhenDue(db, systemNow())
  },
})
