import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { openRoles, type Role, refusal } from './testing/roles.ts'

const { roles, value, close } = await openRoles(inject('ownerUrl'))
afterAll(close)

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const numberOf = async (query: string, values: unknown[] = []) => Number(await value('owner', query, values))

await roles.owner.query(
  "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')",
)
let names = 0
const member = (isOperator: boolean) => {
  names += 1
  return numberOf(
    `INSERT INTO member (username, email, password_hash, ref_code, is_operator, operator_role, terms_accepted_at, joined_at)
     VALUES ($1, $1, '', lpad($2, 7, '0'), $3, CASE WHEN $3 THEN 'admin' END, now(), now()) RETURNING id`,
    [`member${names}`, String(names), isOperator],
  )
}
const [one, two, payee] = [await member(true), await member(true), await member(false)]

interface Row {
  readonly id: number
  readonly member: number
  readonly amount: number
  readonly wallet: string
}
const request = async ({ needed = 1, amount = 5_000_000, by = payee } = {}): Promise<Row> => ({
  id: await numberOf(
    `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version,
       hold_journal_id, requested_at) VALUES ($1, $2, 1, $2, 0, $3, $4, 1, 1, now()) RETURNING id`,
    [by, amount, WALLET, needed],
  ),
  member: by,
  amount,
  wallet: WALLET,
})

interface Submitted {
  readonly operator?: number
  readonly network?: string
  readonly nonce?: string
  readonly expires?: string
  readonly wallets?: readonly string[]
}
const submit = (rows: readonly Row[], differences: Submitted = {}, role: Role = 'approvals') =>
  value(
    role,
    `SELECT submit_approval($1, 'withdrawals', $2, $3, clock_timestamp() + $4::interval, repeat('b', 64), '{}', $5, $6, $7, $8, $9)`,
    [
      differences.operator ?? one,
      differences.network ?? 'devnet',
      differences.nonce ?? randomBytes(32).toString('hex'),
      differences.expires ?? '9 minutes',
      rows.map(({ id }) => id),
      rows.map(({ member: by }) => by),
      rows.map(({ amount }) => amount),
      rows.map(() => 1),
      differences.wallets ?? rows.map(({ wallet }) => wallet),
    ],
  )
const accept = (approval: unknown, least: number[] | null = null) =>
  value('signer', 'SELECT accept_approval($1, $2)', [approval, least])
const refuse = (approval: unknown, code = 'wrong_signature') =>
  value('signer', 'SELECT refuse_approval($1, $2)', [approval, code])
const stateOf = (row: Row) => value('owner', 'SELECT state FROM withdrawal WHERE id = $1', [row.id])
const decision = async (approval: unknown) =>
  (await roles.owner.query('SELECT state, refusal FROM approval WHERE id = $1', [approval])).rows[0]

describe('an approval', () => {
  it('waits until the signer accepts it, and approves a withdrawal with that', async () => {
    const row = await request()
    const approval = await submit([row])
    expect(await stateOf(row)).toBe('requested')
    expect(await accept(approval)).toBe('accepted')
    expect(await stateOf(row)).toBe('approved')
    expect(await decision(approval)).toEqual({ state: 'accepted', refusal: null })
    const trail = "SELECT actor_id::int FROM audit_event WHERE action = 'withdrawal.approve' AND subject = $1"
    expect(await value('owner', trail, [`withdrawal:${row.id}`])).toBe(one)
  })

  it('accepted a second time does nothing', async () => {
    const row = await request({ needed: 2 })
    const approval = await submit([row])
    expect([await accept(approval), await accept(approval)]).toEqual(['accepted', 'accepted'])
    expect(await stateOf(row)).toBe('requested')
  })

  it('is one of several where several are needed, each of another operator', async () => {
    const row = await request({ needed: 2 })
    for (const operator of [one, one]) {
      await accept(await submit([row], { operator }))
      expect(await stateOf(row)).toBe('requested')
    }
    await accept(await submit([row], { operator: two }))
    expect(await stateOf(row)).toBe('approved')
  })

  it('is needed where a withdrawal asks for none, and the signer can ask for more', async () => {
    const free = await request({ needed: 0 })
    const dear = await request({ needed: 0 })
    await accept(await submit([free, dear]), [0, 2])
    expect([await stateOf(free), await stateOf(dear)]).toEqual(['approved', 'requested'])
    await accept(await submit([dear], { operator: two }), [2])
    expect(await stateOf(dear)).toBe('approved')
  })

  it('passes over what was cancelled since, and counts for what is approved already', async () => {
    const [gone, approved] = [await request(), await request()]
    await accept(await submit([approved]))
    const approval = await submit([gone, approved], { operator: two })
    await roles.owner.query(
      "UPDATE withdrawal SET state = 'cancelled', closed_at = now(), close_journal_id = 1 WHERE id = $1",
      [gone.id],
    )
    expect(await accept(approval)).toBe('accepted')
    expect([await stateOf(gone), await stateOf(approved)]).toEqual(['cancelled', 'approved'])
    const given = 'SELECT count(*)::int FROM withdrawal_approval WHERE withdrawal_id = $1'
    expect(await value('owner', given, [approved.id])).toBe(2)
  })

  it('that the signer refuses stays refused, by name', async () => {
    const row = await request()
    const approval = await submit([row])
    expect(await refuse(approval)).toBe(true)
    expect(await accept(approval)).toBe('wrong_signature')
    expect(await refuse(approval, 'another')).toBe(false)
    expect(await decision(approval)).toEqual({ state: 'refused', refusal: 'wrong_signature' })
    expect(await stateOf(row)).toBe('requested')
  })

  it('made for a signer without a network counts without one; no other does', async () => {
    const row = await request()
    const take = async (approval: unknown) => value('gateway', 'SELECT take_offline_approval($1)', [approval])
    expect(await take(await submit([row]))).toBe('not_for_offline')
    expect(await take(await submit([row], { expires: '20 hours' }))).toBe('accepted')
    expect(await stateOf(row)).toBe('approved')
  })
})

describe('what the database refuses, whoever verified it', () => {
  it('an approval of the operator’s own withdrawal', async () => {
    const own = await request({ by: one })
    expect(await accept(await submit([await request(), own]))).toBe('own_withdrawal')
    expect(await stateOf(own)).toBe('requested')
  })

  it('another amount, another wallet, and a withdrawal that nobody asked for', async () => {
    const row = await request()
    for (const changed of [
      { ...row, amount: row.amount + 1 },
      { ...row, wallet: `${WALLET.slice(0, -1)}9` },
      { ...row, id: 900_000 },
    ]) {
      expect(await accept(await submit([changed]))).toBe('rows_differ')
    }
  })

  it('an operator who is none any more', async () => {
    const gone = await member(true)
    const approval = await submit([await request()], { operator: gone })
    await roles.owner.query('UPDATE member SET is_operator = false, operator_role = NULL WHERE id = $1', [
      gone,
    ])
    expect(await accept(approval)).toBe('not_an_operator')
  })

  it('anything while payouts are stopped', async () => {
    const approval = await submit([await request()])
    await roles.owner.query('UPDATE payout_stop SET stopped = true')
    expect(await accept(approval)).toBe('stopped')
    await roles.owner.query('UPDATE payout_stop SET stopped = false')
    expect(await accept(approval)).toBe('accepted')
  })
})

describe('the page of approvals', () => {
  it.each<[string, string | undefined, Submitted & { readonly count?: number }]>([
    ['a plain member’s', 'approval_by_an_operator', { operator: payee }],
    ['another network’s', 'approval_of_this_network', { network: 'mainnet' }],
    ['one that lasts two days', 'approval_ends_soon', { expires: '2 days' }],
    ['one that has ended', 'approval_ends_soon', { expires: '-1 second' }],
    ['an empty one', 'approval_has_rows', { count: 0 }],
    ['one with a row missing its wallet', 'approval_has_rows', { wallets: [] }],
    ['the same withdrawal twice', 'approval_row_by_withdrawal', { count: 2 }],
    ['a nonce in capitals', 'approval_nonce_check', { nonce: 'A'.repeat(64) }],
    ['a wallet that is none', 'approval_row_wallet_address_check', { wallets: ['T|1'] }],
  ])('submits not %s', async (_what, constraint, { count = 1, ...differences }) => {
    const row = await request()
    const rows = Array.from({ length: count }, () => row)
    expect(await refusal(submit(rows, differences))).toBe(constraint)
  })

  it('submits a nonce once', async () => {
    const row = await request()
    const nonce = 'c'.repeat(64)
    await refuse(await submit([row], { nonce }))
    expect(await refusal(submit([row], { nonce }))).toBe('approval_nonce_used_once')
  })

  it('submits at most twenty that wait of one operator', async () => {
    const row = await request()
    const patient = await member(true)
    const made = []
    for (let count = 0; count < 20; count += 1) made.push(await submit([row], { operator: patient }))
    expect(await refusal(submit([row], { operator: patient }))).toBe('approvals_waiting')
    for (const approval of made) await refuse(approval)
    expect(await refusal(submit([row], { operator: patient }))).toBe(null)
  })

  it('sees what it shows, and nothing of members that it does not', async () => {
    await roles.approvals.query('SELECT id, username, usdt_wallet, is_operator FROM member')
    await roles.approvals.query('SELECT member_id, kind, at FROM security_event')
    for (const table of [
      'withdrawal',
      'withdrawal_approval',
      'withdrawal_delay',
      'approval',
      'approval_row',
      'payout_stop',
      'installation',
    ]) {
      await roles.approvals.query(`SELECT FROM ${table}`)
    }
    for (const query of [
      'SELECT email FROM member',
      'SELECT ip FROM security_event',
      'SELECT FROM audit_event',
      'SELECT FROM posting',
      'SELECT FROM session',
    ]) {
      expect(await refusal(roles.approvals.query(query))).toBe('42501')
    }
  })
})

describe('no other role', () => {
  const everybody: Role[] = ['server', 'gateway', 'signer', 'approvals']
  const except = (...allowed: Role[]) => everybody.filter((role) => !allowed.includes(role))
  it.each<[string, string, Role[]]>([
    ['accepts', 'SELECT accept_approval(1)', except('signer')],
    ['refuses', "SELECT refuse_approval(1, 'x')", except('signer')],
    ['applies without a signer', 'SELECT apply_approval(1, NULL)', everybody],
    ['takes one for a machine without a network', 'SELECT take_offline_approval(1)', except('gateway')],
    ['remembers a journal', "SELECT remember_journal(9, '')", except('signer')],
    [
      'writes an approval of a withdrawal',
      'INSERT INTO withdrawal_approval VALUES (1, 1, 2, now())',
      everybody,
    ],
    ['edits an approval', "UPDATE approval SET state = 'accepted'", everybody],
    ['deletes one', 'DELETE FROM approval', everybody],
    ['edits its rows', 'UPDATE approval_row SET amount = 1', everybody],
    ['adds rows', "INSERT INTO approval_row VALUES (1, 9, 1, 1, 1, 1, 'T')", everybody],
    ['forgets a journal', 'UPDATE signer_journal SET sequence = 0', everybody],
    ['locks them', 'DO $$ BEGIN LOCK TABLE approval IN SHARE ROW EXCLUSIVE MODE; END $$', everybody],
    [
      'approves a withdrawal',
      "UPDATE withdrawal SET state = 'approved' WHERE state = 'requested'",
      everybody,
    ],
  ])('%s', async (_what, statement, forbidden) => {
    await request({ needed: 0 })
    for (const role of forbidden)
      expect(await refusal(roles[role].query(statement)), role).toMatch(/42501|approved_by_the_signer/)
  })

  it('submits one', async () => {
    const row = await request()
    for (const role of except('approvals')) expect(await refusal(submit([row], {}, role)), role).toBe('42501')
  })

  it('and not even the owner of the tables changes what was approved', async () => {
    const approval = await submit([await request()])
    for (const statement of [
      `UPDATE approval SET root = repeat('e', 64) WHERE id = ${approval}`,
      'DELETE FROM approval',
      'UPDATE approval_row SET amount = 1',
      'TRUNCATE approval_row',
    ]) {
      expect(await refusal(roles.owner.query(statement))).toBe('42501')
    }
    await accept(approval)
    const again = `UPDATE approval SET state = 'refused', refusal = 'x' WHERE id = ${approval}`
    expect(await refusal(roles.owner.query(again))).toBe('42501')
  })
})

it('the end of the signer’s journal moves forward only', async () => {
  const remember = (sequence: number, hash: string) =>
    value('signer', 'SELECT remember_journal($1, $2)', [sequence, hash.repeat(64)])
  await remember(5, 'a')
  await remember(4, 'b')
  await remember(5, 'c')
  const end = (await roles.signer.query('SELECT sequence::int, hash FROM signer_journal')).rows[0]
  expect(end).toEqual({ sequence: 5, hash: 'a'.repeat(64) })
})
