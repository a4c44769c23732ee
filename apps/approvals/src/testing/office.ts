/** The process behind the page on a database of its own, with members, operators and withdrawals. */
import { randomBytes } from 'node:crypto'
import { type ApprovalRow, type DecisionRow, listOf, listOfDecisions } from '@aval/approvals'
import { connect } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import type { Config } from '../config.ts'
import { openPinnedFiles } from '../pinned-files.ts'
import { buildServer } from '../server.ts'
import { createPageFolder } from './page-folder.ts'

export const URL_OF_PAGE = 'http://localhost:3002'
export const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

export async function openOffice(adminUrl: string) {
  const database = await createTestDatabase(adminUrl)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const connection = connect(database.approvalsUrl, 2, 'aval-approvals')
  const page = await createPageFolder()
  const config: Config = {
    databaseUrl: database.approvalsUrl,
    url: new URL(URL_OF_PAGE),
    port: 3002,
    host: 'localhost',
    network: 'devnet',
    offline: false,
    pageDist: page.folder,
  }
  const clock = { now: Date.now() }
  const reported: string[] = []
  const parts = {
    config,
    db: connection.db,
    files: await openPinnedFiles(page.folder),
    now: () => clock.now,
    report: (what: string) => void reported.push(what),
  }
  await owner.query(
    "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')",
  )
  return {
    owner,
    page,
    clock,
    reported,
    /** One with counts of its own of who asked how often. */
    server: (changes: Partial<Config> = {}) => buildServer({ ...parts, config: { ...config, ...changes } }),
    async close() {
      await connection.close()
      await owner.end()
      await page.remove()
      await database.drop()
    },
  }
}

type Office = Awaited<ReturnType<typeof openOffice>>

let members = 0
export async function addMember({ owner }: Office, isOperator = false): Promise<bigint> {
  members += 1
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO member (username, email, first_name, last_name, password_hash, ref_code, is_operator, operator_role, terms_accepted_at, joined_at)
     VALUES ($1, $1, 'Ana', $1, '', lpad($2, 7, '0'), $3, CASE WHEN $3 THEN 'admin' END, now(), now()) RETURNING id`,
    [`member${members}`, String(members), isOperator],
  )
  return BigInt(rows[0]?.id ?? 0)
}

interface Asked {
  readonly memberId: bigint
  readonly amount?: bigint
  readonly needed?: number
  readonly risks?: readonly string[]
  readonly at?: Date
}

export async function addWithdrawal({ owner }: Office, asked: Asked): Promise<ApprovalRow> {
  const { memberId, amount = 5_000_000n, needed = 1, risks = [], at = new Date() } = asked
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version,
       hold_journal_id, requested_at, risks) VALUES ($1, $2, 1000000, $2, 0, $3, $4, 1, 1, $5, $6) RETURNING id`,
    [memberId, amount, WALLET, needed, at, JSON.stringify(risks)],
  )
  return { withdrawalId: BigInt(rows[0]?.id ?? 0), memberId, amount, fee: 1_000_000n, wallet: WALLET }
}

/** What the page would send. */
export function bodyOf(operator: bigint, rows: readonly ApprovalRow[], changes: object = {}) {
  return {
    operator: String(operator),
    expires_at: Date.now() + 600_000,
    nonce: randomBytes(32).toString('hex'),
    root: listOf(rows).root,
    proof: { kind: 'code', code: '123456' } as object,
    rows: rows.map((row) => ({
      id: String(row.withdrawalId),
      member: String(row.memberId),
      amount: String(row.amount),
      fee: String(row.fee),
      wallet: row.wallet,
    })),
    ...changes,
  }
}

/** A plan that this operator proposes for a day; as the list has it. */
export async function addPlan(
  { owner }: Office,
  operator: bigint,
  startsOn: string,
  document: object,
): Promise<DecisionRow> {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT propose_decision('plan', jsonb_build_object('starts_on', $1::text), $2, $3, now()) AS id`,
    [startsOn, JSON.stringify(document), operator],
  )
  const decisionId = rows[0]?.id ?? '0'
  const { rows: made } = await owner.query('SELECT statement FROM decision WHERE id = $1', [decisionId])
  return { decisionId: BigInt(decisionId), kind: 'plan', statement: made[0].statement }
}

/** What the page would send of decisions. */
export function decisionBodyOf(operator: bigint, decisions: readonly DecisionRow[], changes: object = {}) {
  return {
    operator: String(operator),
    expires_at: Date.now() + 600_000,
    nonce: randomBytes(32).toString('hex'),
    root: listOfDecisions(decisions).root,
    proof: { kind: 'code', code: '123456' } as object,
    rows: decisions.map(({ decisionId, ...row }) => ({ id: String(decisionId), ...row })),
    ...changes,
  }
}
