/** What is wrong after the faults, by what clients were answered and by what the chain says. */
import type { Product } from '../../tools/testing/product.ts'
import { audit } from '../processes/audit.ts'
import type { Acknowledged } from './load.ts'
import { untilWithin } from './load.ts'

/** What was acknowledged last takes a while until it is paid out. */
const REST_MS = 180_000

/** Of these, which the query does not know. */
async function missing(
  product: Product,
  query: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const rows = await product.query<{ name: string }>(query)
  const found = new Set(rows.map(({ name }) => name))
  return wanted.filter((name) => !found.has(name))
}

async function lost(product: Product, acknowledged: Acknowledged): Promise<string[]> {
  const { members, invoices, withdrawals, days } = acknowledged
  const isLost = (what: string) => (name: string) => `${what} ${name} was acknowledged and is not there`
  const asked = withdrawals.map(({ id, member, amount }) => `${id} ${member} ${Number(amount) * 1_000_000}`)
  return [
    ...acknowledged.lost,
    ...(await missing(product, 'SELECT username AS name FROM member', members)).map(isLost('the member')),
    ...(await missing(product, 'SELECT txn_id AS name FROM invoice', invoices)).map(isLost('the invoice')),
    ...(
      await missing(product, "SELECT concat_ws(' ', id, member_id, amount) AS name FROM withdrawal", asked)
    ).map(isLost('the withdrawal')),
    ...(
      await missing(
        product,
        "SELECT DISTINCT at::date::text AS name FROM payout_run WHERE state = 'done'",
        days,
      )
    ).map(isLost('the payout of')),
  ]
}

/** Every withdrawal that was approved is at its end, and every run is done, or held by its checks for a person to look at. */
async function atRest(product: Product): Promise<string[]> {
  const unfinished = `
    SELECT 'withdrawal ' || id || ' is ' || state AS name FROM withdrawal WHERE state NOT IN ('completed', 'cancelled', 'refused', 'requested')
    UNION ALL SELECT 'run ' || id || ' is ' || state FROM payout_run WHERE state NOT IN ('done', 'cancelled', 'held')`
  const isEmpty = async () => (await product.query(unfinished)).length === 0
  await untilWithin(REST_MS, 'the product to come to rest', isEmpty).catch(() => undefined)
  return (await product.query<{ name: string }>(unfinished)).map(({ name }) => name)
}

/** @returns a line for each; none when all is well */
export async function faultsAfter(product: Product, acknowledged: Acknowledged): Promise<readonly string[]> {
  const unfinished = await atRest(product)
  const found = await audit(product, () => lost(product, acknowledged))
  const replayed = await product.tool('replay', '--all')
  return [...unfinished, ...found, ...(replayed.code === 0 ? [] : [`runs do not replay: ${replayed.output}`])]
}
