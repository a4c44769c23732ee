/** Pays everything that is due, as the product's worker does. It is started to be killed. */
import { connect } from '@aval/db'
import { payCommissions, runDue } from '../../apps/server/src/features/payout-runs/advance.commands.ts'
import { untilPaid } from '../../bench/day.ts'

const [serverUrl = '', now = ''] = process.argv.slice(2)
const { db, close } = connect(serverUrl)
process.stdout.write('begun\n')
await payCommissions(db, new Date(now))
await runDue(db, new Date(now))
await untilPaid(db, new Date(now))
await close()
