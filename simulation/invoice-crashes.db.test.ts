import { connect } from '@aval/db'
import { afterAll, expect, it } from 'vitest'
import { crashingDatabase, createLifetime, type Lifetime } from '../apps/gateway/src/testing/crashes.ts'
import type { Context } from '../apps/server/src/core/context.ts'
import { query } from '../apps/server/src/core/query.sql.ts'
import { creditUncredited } from '../apps/server/src/features/deposits/credit.commands.ts'
import {
  cancelInvoice,
  completeInvoice,
  expireInvoices,
} from '../apps/server/src/features/investments/invoices.commands.ts'
import { idempotently } from '../apps/server/src/http/idempotency.ts'
import { createMoneyFixture, usdt } from '../apps/server/src/testing/money-fixture.ts'
import { soundSuiteFixture } from '../apps/server/src/testing/suite.ts'

const AFTER_THE_END = new Date('2026-05-03T18:00:00Z')
const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z', [])
const { db, server } = money
const processes = connect(server.database.serverUrl, 2)
afterAll(() => processes.close())
await query(
  money.owner,
)`INSERT INTO chain_cursor VALUES ('devnet', 80, 'x', 100, 81, now(), ${AFTER_THE_END})`

interface Invoice {
  readonly memberId: bigint
  readonly txnId: string
}
/** What a process does about an invoice, after these amounts came in one transaction. */
interface Action {
  readonly arrives?: readonly string[]
  /** Safe to repeat: who began it cannot know whether it was done. */
  run(context: Context, invoice: Invoice): Promise<unknown>
}

const pays = (...arrives: string[]): Action => ({
  arrives,
  run: (context) => creditUncredited(context.db, money.now),
})
const expires: Action = { run: (context) => expireInvoices(context.db, AFTER_THE_END) }
/** As a page sends it, under one key. */
const presses = (command: (...call: Parameters<typeof completeInvoice>) => Promise<unknown>): Action => ({
  run(context, { memberId, txnId }) {
    const request = { headers: { 'idempotency-key': txnId }, method: 'POST', originalUrl: command.name }
    return idempotently(context, request, memberId, async (tx) => {
      await command(tx, memberId, txnId, money.now)
      return { status: 200, body: 'done' }
    })
  },
})

/** A member with 1,000 in the balance, enough for more than one, asks to invest 700, which takes 703.50. */
async function newInvoice(): Promise<Invoice> {
  const memberId = await money.member()
  await money.receive(memberId, '1000')
  const { invoice } = await money.invoiceOver(memberId, '700')
  return { memberId, txnId: invoice.txn_id }
}

/** All that the money of a member did, and what is written about it. */
async function traceOf({ memberId, txnId }: Invoice): Promise<string[]> {
  const rows = await query<{ line: string }>(db)`
    SELECT concat_ws(' ', kind, amount) AS line FROM posting WHERE member_id = ${memberId}
    UNION ALL SELECT concat_ws(' ', 'credit', outcome, amount) FROM deposit_credit WHERE member_id = ${memberId}
    UNION ALL SELECT concat_ws(' ', 'invoice', state, received) FROM invoice WHERE member_id = ${memberId}
    UNION ALL SELECT concat_ws(' ', 'investment', amount, value_after) FROM investment WHERE member_id = ${memberId}
    UNION ALL SELECT concat_ws(' ', 'pending', amount) FROM member_pending WHERE member_id = ${memberId}
    UNION ALL SELECT concat_ws(' ', 'balance', balance) FROM member_balance WHERE member_id = ${memberId}
    UNION ALL SELECT concat_ws(' ', 'answer', body) FROM idempotency_response WHERE key = ${txnId}
    ORDER BY line`
  return rows.map(({ line }) => line)
}

const processOf = (life: Lifetime): Context => ({
  ...server.context,
  db: crashingDatabase(processes, life),
})

/**
 * Runs a action in process after process: the first dies when its first call to the database has taken effect, the next one after
 * its second, and so on, until one lives long enough to end. A COMMIT is a call, too. @returns how many died
 */
async function runDying({ run }: Action, on: Invoice): Promise<number> {
  for (let deaths = 0; ; deaths += 1) {
    const life = createLifetime({ after: deaths, how: 'unanswered' })
    const failure = await run(processOf(life), on).then(
      () => null,
      (error: unknown) => error,
    )
    if (failure !== null && !life.crashed) throw failure
    if (!life.crashed) return deaths
  }
}

/** Runs an invoice's scenario, in which the processes of these actions die. */
async function play(actions: readonly Action[], dying: readonly Action[]) {
  const invoice = await newInvoice()
  const deaths: number[] = []
  for (const action of actions) {
    let txid: string | undefined
    for (const [position, amount] of (action.arrives ?? []).entries())
      txid = await money.arrive(invoice.memberId, amount, { position, ...(txid && { txid }) })
    if (dying.includes(action)) deaths.push(await runDying(action, invoice))
    else await action.run(server.context, invoice)
  }
  return { memberId: invoice.memberId, trace: await traceOf(invoice), deaths }
}

it.each<[ends: string, principal: string, balance: string, before: Action[], ...dying: Action[]]>([
  ['paid in two parts', '700', '1000', [], pays('300'), pays('403.5')],
  ['paid in two parts of one transaction', '700', '1000', [], pays('300', '403.5')],
  ['paid too much', '700', '1096', [pays('300')], pays('499.5')],
  ['completed with the balance', '700', '650', [pays('351.75')], presses(completeInvoice)],
  ['cancelled with a part', '0', '1300', [pays('300')], presses(cancelInvoice)],
  ['expired with a part', '0', '1300', [pays('300')], expires],
])(
  'an invoice %s, killed after any call to the database, goes on where it stopped',
  async (_, principal, balance, before, ...dying) => {
    const actions = [...before, ...dying]
    const undisturbed = await play(actions, [])
    const disturbed = await play(actions, dying)
    expect(disturbed.trace).toEqual(undisturbed.trace)
    expect(await money.balancesOf(disturbed.memberId)).toMatchObject({
      principal: usdt(principal),
      balance: usdt(balance),
    })
    for (const deaths of disturbed.deaths) expect(deaths).toBeGreaterThan(5)
  },
)
