/**
 * `npm run mutate:sql [-- function …]`: changes the SQL functions that move money, one comparison, connective, sign or check at a time, and
 * expects a test to fail. Prints what no test noticed, then the score. `docs/mutation-testing.md` has what was measured.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { startEphemeral } from '../db/src/ephemeral.ts'
import { createTestDatabase } from '../db/src/testing.ts'
import { childEnvironment, root } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'

const LEDGER = ['ledger/ledger.db', 'ledger/refusals.db']
/** What each role is refused, function by function. */
const PRIVILEGES = 'features/withdrawals/privileges.db'
const REVERSALS = ['features/payout-runs/reversals/']
/** What a frozen account and a debt refuse, and which investments principal comes off. */
const FREEZES_AND_DEBTS = ['features/identity/freezing/', ...REVERSALS]
const INVESTMENTS = ['features/investments/', 'features/deposits/credit.db', PRIVILEGES, ...FREEZES_AND_DEBTS]
const WITHDRAWALS = ['features/withdrawals/', 'gateway/src/outgoing/restored.db', ...FREEZES_AND_DEBTS]
const RUNS = [
  'features/payout-runs/pay/',
  'features/payout-runs/advance.db',
  'features/payout-runs/audit.db',
  'db/src/prorating.db',
  'db/src/guards.db',
]
const TRANSFERS = [
  PRIVILEGES,
  'features/withdrawals/settle.db',
  'db/src/settling.db',
  'gateway/src/outgoing/',
]

/** The functions, and the tests that are about them. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  post_event: LEDGER,
  hold_period: [...LEDGER, ...RUNS],
  close_period: [...LEDGER, ...RUNS],
  credit_transfer: INVESTMENTS,
  invest_balance: INVESTMENTS,
  complete_invoice: INVESTMENTS,
  end_invoice: INVESTMENTS,
  reverse_investment: REVERSALS,
  recover_receivable: [...LEDGER, ...REVERSALS],
  request_withdrawal: WITHDRAWALS,
  move_hold: WITHDRAWALS,
  close_unpaid: WITHDRAWALS,
  refuse_withdrawal: WITHDRAWALS,
  withdrawal_goes_forward: [...WITHDRAWALS, 'db/src/settling.db', 'db/src/approvals.db'],
  prepare_outgoing_transfer: TRANSFERS,
  sign_outgoing_transfers: [
    ...TRANSFERS,
    'signer/signer.db',
    'signer/signer-limits.db',
    'signer/together.db',
  ],
  expire_outgoing_transfer: TRANSFERS,
  book_outgoing_transfer: TRANSFERS,
  adopt_transfer: ['gateway/src/outgoing/restored.db'],
  report_signed: ['gateway/src/outgoing/restored.db'],
  seal_payout_run: RUNS,
  release_payout_run: RUNS,
  let_payout_run_go: RUNS,
  record_payout_audit: RUNS,
  payout_run_seals: RUNS,
  objections_to: RUNS,
  post_payout_batch: RUNS,
  prorate_payout_run: RUNS,
  fund_pool: ['features/treasury/', 'features/overview/', ...LEDGER],
}

/** What is looked for, and what it becomes. The first of a place that matches is taken. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ <> /, ' = '],
  [/ <= /, ' > '],
  [/ >= /, ' < '],
  [/ < /, ' >= '],
  [/ > /, ' <= '],
  [/ = /, ' <> '],
  [/ AND /, ' OR '],
  [/ OR /, ' AND '],
  [/ \+ /, ' - '],
  [/ - /, ' + '],
  [/RAISE EXCEPTION [^;]*;/s, 'NULL;'],
  [/PERFORM (?:refuse|hold|keep)_[^;]*;/s, 'NULL;'],
]

interface Mutant {
  readonly text: string
  /** The line of the function, and what became of it. */
  readonly what: string
}

/** Comments, texts, and which rows are locked ahead: races prove that, and no test that runs alone. */
const KEPT = /--[^\n]*|'(?:[^']|'')*'|PERFORM FROM [^;]* FOR (?:NO KEY )?UPDATE[^;]*;/g

/** Every change of a function by itself. */
function mutantsOf(definition: string): Mutant[] {
  const start = definition.indexOf('AS $')
  const hidden = definition.replaceAll(KEPT, (text) => '\u0000'.repeat(text.length))
  return CHANGES.flatMap(([pattern, becomes]) =>
    [...hidden.matchAll(new RegExp(pattern, 'gs'))].flatMap(({ index, 0: found }) => {
      if (index < start) return []
      const text = definition.slice(0, index) + becomes + definition.slice(index + found.length)
      const line = definition.slice(0, index).split('\n').length
      const was = definition.split('\n')[line - 1]?.trim() ?? ''
      return [{ text, what: `line ${line}, ${found.trim().slice(0, 16)} → ${becomes.trim()}: ${was}` }]
    }),
  )
}

/** One statement in the template that the tests' databases are cloned from; nobody may be in it meanwhile. */
async function inTemplate<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query<Row>(statement, values).finally(() => client.end())
}

async function templateOf(adminUrl: string): Promise<string> {
  await createTestDatabase(adminUrl).then((database) => database.drop())
  const { rows } = await inTemplate<{ name: string }>(
    adminUrl,
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'aval\\_template\\_%'`,
  )
  const url = new URL(adminUrl)
  url.pathname = `/${rows[0]?.name}`
  return url.href
}

function passes(files: readonly string[], adminUrl: string): boolean {
  const vitest = join(root, 'node_modules/.bin/vitest')
  const args = [vitest, 'run', '--project', 'database', '--bail', '1', '--reporter', 'dot', ...files]
  const env = childEnvironment({ DATABASE_URL: adminUrl })
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'ignore' }).status === 0
}

const definitionOf = `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = $1 AND pronamespace = 'public'::regnamespace`

/** Of one function; what no test noticed is printed as it is found. */
async function mutate(name: string, template: string, adminUrl: string) {
  const { rows } = await inTemplate<{ text: string }>(template, definitionOf, [name])
  const [{ text: sound } = { text: '' }] = rows
  const files = TESTS[name] ?? []
  if (sound === '' || files.length === 0) throw new Refusal(`${name} is no function that this knows.`)
  if (!passes(files, adminUrl)) throw new Refusal(`The tests of ${name} fail as it is.`)
  const score = { name, found: 0, of: 0 }
  for (const { text, what } of mutantsOf(sound)) {
    const isValid = await inTemplate(template, text).then(
      () => true,
      () => false,
    )
    if (!isValid) continue
    score.of += 1
    if (passes(files, adminUrl)) console.log(`${name}, ${what}`)
    else score.found += 1
  }
  await inTemplate(template, sound)
  console.log(`${name}: ${score.found} of ${score.of}`)
  return score
}

continueWithOwnNode()
const wanted = process.argv.slice(2)
const server = await startEphemeral({ flags: ['max_connections=200'] })
try {
  const template = await templateOf(server.url)
  const scores = []
  for (const name of wanted.length > 0 ? wanted : Object.keys(TESTS))
    scores.push(await mutate(name, template, server.url))
  const [found, of] = [
    scores.reduce((sum, each) => sum + each.found, 0),
    scores.reduce((sum, each) => sum + each.of, 0),
  ]
  console.log(`${found} of ${of} found, ${((100 * found) / of).toFixed(1)} %`)
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
} finally {
  await server.stop()
}
