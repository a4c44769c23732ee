/** The database: its migrations, its roles, and typed access to it. */
export {
  type Connection,
  connect,
  constraintOf,
  type Database,
  type Db,
  inTransaction,
  sqlState,
  type Tx,
} from './connect.ts'
export { DatabaseRefusal, migrate } from './migrate.ts'
export { isOutage } from './outage.ts'
export { type Prepared, prepareDatabase } from './prepare.ts'
export { prepared } from './prepared.ts'
export type { DB } from './schema.generated.ts'
