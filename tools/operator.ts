/** `npm run operator -- <username> [--revoke]`: makes a member an operator. */
import { runOnDatabase } from './on-database.ts'

await runOnDatabase('operator.ts', process.argv.slice(2))
