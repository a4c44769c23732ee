import type { Db } from '@aval/db'
import { query } from '../../core/query.sql.ts'

/** Why deposits and withdrawals stand still although this process can serve: what a person has to mend at a node. */
const NODE_FAULTS = ['other_network', 'key_refused'] as const
export type NodeFault = (typeof NODE_FAULTS)[number]

/** What is wrong with nodes; none when all is well. @throws what the database's driver throws when this process cannot serve */
export async function findNodeFaults(db: Db): Promise<NodeFault[]> {
  const rows = await query<{ state: NodeFault }>(db)`
    SELECT DISTINCT state FROM gateway_node WHERE state = ANY(${[...NODE_FAULTS]}::text[]) ORDER BY state`
  return rows.map(({ state }) => state)
}
