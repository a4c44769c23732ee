/** `npm run ledger:check`: checks every promise of the ledger and prints figures; the exit code is the verdict. */
import { runOnDatabase } from './on-database.ts'

await runOnDatabase('ledger-check.ts')
