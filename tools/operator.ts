/**
 * `npm run operator -- <username> [--renew | --revoke]`: makes a member an operator, with two-factor; `--release --how "…"`
 * turns a member's lost two-factor off.
 */
import { runOnDatabase } from './on-database.ts'

const args = process.argv.slice(2)
await runOnDatabase('operator.ts', args, args.includes('--release') ? ['JWT_KEY'] : ['SEAL_KEY'])
