/** Everything that a text can mean to an operator: members by any of their marks, money by its numbers. */
import type { Db } from '@aval/db'
import { planSearch, type SearchPlan } from './search.rules.ts'
import * as store from './search.sql.ts'

const MOST_MEMBERS = 8
const MOST_OF_A_KIND = 5

/** Members by their marks, the surest first; each once. */
async function findMembers(
  db: Db,
  text: string,
  plan: SearchPlan,
  limit: number,
): Promise<store.FoundMember[]> {
  const found = new Map<bigint, store.FoundBy>()
  const add = async (by: store.FoundBy, ids: Promise<readonly bigint[]>) => {
    for (const id of await ids) if (!found.has(id) && found.size < limit) found.set(id, by)
  }
  const folded = plan.isName ? await store.selectFolded(db, text) : ''
  if (plan.isName) await add('username', store.selectByUsername(db, folded, limit))
  if (plan.number !== null) await add('id', store.selectById(db, plan.number))
  if (plan.refCode !== null) await add('ref_code', store.selectByRefCode(db, plan.refCode))
  if (plan.address !== null) {
    await add('wallet', store.selectByWallet(db, plan.address, limit))
    await add('deposit_address', store.selectByDepositAddress(db, plan.address))
  }
  if (plan.email !== null) await add('email', store.selectByEmail(db, plan.email, limit))
  if (plan.phone !== null) await add('phone', store.selectByPhone(db, plan.phone, limit))
  const words = folded.split(' ').filter((word) => word !== '')
  if (words.length > 0) await add('name', store.selectCalled(db, words, limit))
  return [...found].map(([id, by]) => ({ id, by }))
}

/** Numbers of the members whom a text finds, for the filter of their list. */
export async function findMemberIds(db: Db, text: string, limit: number): Promise<bigint[]> {
  return (await findMembers(db, text, planSearch(text), limit)).map(({ id }) => id)
}

async function findThings(db: Db, plan: SearchPlan): Promise<store.FoundThing[]> {
  const things: store.FoundThing[] = []
  if (plan.txid !== null) things.push(...(await store.selectThingsByTxid(db, plan.txid, MOST_OF_A_KIND)))
  if (plan.invoice !== null) things.push(...(await store.selectThingsByInvoice(db, plan.invoice)))
  if (plan.number !== null) things.push(...(await store.selectThingsByNumber(db, plan.number)))
  for (const amount of plan.amounts)
    things.push(...(await store.selectThingsByAmount(db, amount, MOST_OF_A_KIND)))
  return [...new Map(things.map((thing) => [`${thing.kind} ${thing.id}`, thing])).values()]
}

/** A few of everything that the text can mean. */
export async function search(db: Db, text: string) {
  const plan = planSearch(text)
  const members = await findMembers(db, text, plan, MOST_MEMBERS)
  const lines = new Map(
    (
      await store.selectMemberLines(
        db,
        members.map(({ id }) => id),
      )
    ).map((line) => [line.id, line]),
  )
  const runs =
    plan.number === null && plan.day === null ? [] : await store.selectRuns(db, plan.number, plan.day)
  return {
    members: members.flatMap(({ id, by }) => {
      const line = lines.get(id)
      return line === undefined ? [] : [{ ...line, by }]
    }),
    things: await findThings(db, plan),
    runs,
  }
}

export type Found = Awaited<ReturnType<typeof search>>
