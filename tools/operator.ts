/** `npm run operator -- <username> [--renew | --revoke]`: makes a member an operator, with two-factor. */
import { runOnDatabase } from './on-database.ts'

await runOnDatabase('operator.ts', process.argv.slice(2), ['SEAL_KEY'])
