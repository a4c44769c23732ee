/** The database: its migrations, its roles, and typed access to it. */

export { type ClientOptions, openClient, openPool } from './client.ts'
export {
  type Connection,
  connect,
  constraintOf,
  type Database,
  type Db,
  inTransaction,
  keepTraces,
  sqlState,
  type Tx,
} from './connect.ts'
export { IMPATIENT, PATIENT, type Patience } from './hosts.ts'
export { isOutage } from './outage.ts'
export { prepared } from './prepared.ts'
export type { DB } from './schema.generated.ts'
