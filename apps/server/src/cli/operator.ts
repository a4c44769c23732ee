/**
 * Makes a member an operator, or takes it back: `operator.ts <username> [--revoke]`, on the database of DATABASE_URL.
 * A new installation has none, and nobody can make themselves one over the wire.
 */
import { parseArgs } from 'node:util'
import { connect } from '@aval/db'
import { readDatabaseUrl } from '../config.ts'
import { setOperator } from '../features/operator/operators.commands.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { revoke: { type: 'boolean', default: false } },
})
const [username] = positionals
if (username === undefined || positionals.length !== 1) {
  console.error('Say who: npm run operator -- <username> [--revoke]')
  process.exit(2)
}
const connection = connect(readDatabaseUrl(), 1, 'aval-operator')
try {
  const known = await setOperator(connection.db, username, !values.revoke)
  if (known)
    console.log(values.revoke ? `${username} is no operator any more.` : `${username} is an operator now.`)
  else console.error(`Nobody is called ${username}.`)
  process.exitCode = known ? 0 : 1
} finally {
  await connection.close()
}
