/** Decisions about a company with two operators and a member: what they propose, sign and have applied. */
import { randomBytes } from 'node:crypto'
import { openRoles, type Role } from './roles.ts'

export const PLAN = { timeZone: 'America/Bogota', passive: { percentPerPeriod: '10', periodDays: 30 } }

export interface Shown {
  readonly id: string
  readonly kind: string
  readonly statement: Readonly<Record<string, string>>
}

export async function openDecisions(ownerUrl: string) {
  const { roles, value, close } = await openRoles(ownerUrl)
  const owner = (query: string, values: unknown[] = []) => roles.owner.query(query, values)
  await owner("INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')")
  await value('api', 'SELECT store_first_plan($1)', [JSON.stringify(PLAN)])
  let names = 0
  const member = async (isOperator: boolean) => {
    names += 1
    return Number(
      await value(
        'owner',
        `INSERT INTO member (username, email, password_hash, ref_code, is_operator, operator_role, terms_accepted_at, joined_at)
     VALUES ($1, $1, '', lpad($2, 7, '0'), $3, CASE WHEN $3 THEN 'admin' END, now(), now()) RETURNING id`,
        [`member${names}`, String(names), isOperator],
      ),
    )
  }
  const [one, two, payee] = [await member(true), await member(true), await member(false)]
  await owner('INSERT INTO member_balance (member_id) VALUES ($1) ON CONFLICT DO NOTHING', [payee])
  const propose = (kind: string, given: object, document: string | null = null, operator = one) =>
    value('api', 'SELECT propose_decision($1, $2, $3, $4, now())', [
      kind,
      JSON.stringify(given),
      document,
      operator,
    ])
  const shown = async (id: unknown): Promise<Shown> =>
    (await owner('SELECT id, kind, statement FROM decision WHERE id = $1', [id])).rows[0]
  const submit = async (
    ids: readonly unknown[],
    { operator = one, changes = {}, role = 'approvals' as Role } = {},
  ) => {
    const rows = await Promise.all(ids.map(shown))
    return value(
      role,
      `SELECT submit_decision_approval($1, 'devnet', $2, clock_timestamp() + interval '9 minutes', repeat('b', 64), '{}', $3, $4, $5)`,
      [
        operator,
        randomBytes(32).toString('hex'),
        rows.map(({ id }) => id),
        rows.map(({ kind }) => kind),
        rows.map(({ statement }) => JSON.stringify({ ...statement, ...changes })),
      ],
    )
  }
  const accept = (approval: unknown, least: number[] | null = null) =>
    value('signer', 'SELECT accept_decision_approval($1, $2)', [approval, least])
  const approve = async (id: unknown, operator = one, least: number[] | null = null) =>
    accept(await submit([id], { operator }), least)
  const stateOf = async (id: unknown) =>
    (await owner('SELECT state, refusal FROM decision WHERE id = $1', [id])).rows[0]
  return {
    roles,
    value,
    close,
    owner,
    member,
    one,
    two,
    payee,
    propose,
    shown,
    submit,
    accept,
    approve,
    stateOf,
  }
}
