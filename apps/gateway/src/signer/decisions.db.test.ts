/** Decisions, with a server that lies about them: nothing is applied that operators did not see, or too few of them. */
import { type DecisionRow, listOf } from '@aval/approvals'
import { describe, expect, it } from 'vitest'
import type { Differences } from '../testing/approvers.ts'
import { suiteHarness } from '../testing/suite.ts'
import { codeAt } from './approvals/totp.ts'
import { createSignerHarness } from './testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)
const { acceptor, approvers, policyIs, rows } = harness
const MINUTE = 60_000

const PLAN = { timeZone: 'America/Bogota', passive: { percentPerPeriod: '10', periodDays: 30 } }
await rows('SELECT store_first_plan($1)', [JSON.stringify(PLAN)])
let days = 0
/** What the third operator proposed, as operators see it. */
async function proposed(kind = 'plan'): Promise<DecisionRow> {
  days += 1
  const day = new Date(Date.UTC(2090, 0, days)).toISOString().slice(0, 10)
  if (kind === 'plan') {
    const given = JSON.stringify({ starts_on: day })
    await rows('SELECT propose_decision($1, $2, $3, 3, now())', [kind, given, JSON.stringify(PLAN)])
  } else {
    const about = `${kind}:${days}`
    await rows(
      `INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at) VALUES ($1, $2, '{"member":"1"}', 1, now())`,
      [kind, about],
    )
  }
  const [made] = await rows<{ id: string; statement: Record<string, string> }>(
    'SELECT id, statement FROM decision ORDER BY id DESC LIMIT 1',
  )
  return { decisionId: BigInt(made?.id ?? 0), kind, statement: made?.statement ?? {} }
}
const approve = async (
  operator: bigint,
  decisions: readonly DecisionRow[],
  differences?: Differences<DecisionRow>,
) => acceptor.decide(await approvers.submitDecisions(operator, decisions, differences))
const stateOf = async ({ decisionId }: DecisionRow) =>
  (await rows<{ state: string }>('SELECT state FROM decision WHERE id = $1', [decisionId]))[0]?.state
/** What it is refused as; and it stays open. */
async function refused(verdict: string, decision: DecisionRow): Promise<string> {
  expect(verdict).not.toBe('accepted')
  expect(await stateOf(decision)).toBe('open')
  return verdict
}

describe('an approval of decisions', () => {
  it('is accepted once, and applies what was proposed', async () => {
    const one = await proposed()
    expect(await approve(1n, [one])).toBe('accepted')
    expect(await stateOf(one)).toBe('accepted')
  })

  it('of a plan is not enough from who proposed it', async () => {
    const one = await proposed()
    expect(await approve(3n, [one])).toBe('accepted')
    expect(await stateOf(one)).toBe('open')
    expect(await approve(1n, [one])).toBe('accepted')
    expect(await stateOf(one)).toBe('accepted')
  })

  it('needs as many different operators as the key file says for its kind', async () => {
    policyIs({ decisions: { run: 1, plan: 2, memberKey: 3, codes: false } })
    const [plan, key] = [await proposed(), await proposed('member_key')]
    for (const operator of [1n, 1n]) expect(await approve(operator, [plan, key])).toBe('accepted')
    expect([await stateOf(plan), await stateOf(key)]).toEqual(['open', 'open'])
    await approve(2n, [plan, key])
    expect([await stateOf(plan), await stateOf(key)]).toEqual(['accepted', 'open'])
    await approve(3n, [key])
    expect(await stateOf(key)).toBe('accepted')
    policyIs({ decisions: approvers.policy.decisions })
  })

  it.each<[string, string, Differences<DecisionRow>]>([
    ['was made at another origin', 'wrong_origin', { assertion: { origin: 'http://localhost:3000' } }],
    [
      'was signed as withdrawals',
      'wrong_challenge',
      { request: { purpose: 'withdrawals' }, row: { purpose: 'decisions' } },
    ],
    ['is by another operator’s key', 'unknown_key', { by: approvers.keyOf(2n) }],
    ['lasts for a day', 'approval_too_far', { request: { expiresAt: Date.UTC(2030, 0, 2) } }],
  ])('is refused that %s: %s', async (_what, code, differences) => {
    const one = await proposed()
    expect(await refused(await approve(1n, [one], differences), one)).toBe(code)
  })

  it('is refused when it is replayed', async () => {
    const one = await proposed()
    const nonce = 'd'.repeat(64)
    policyIs({ decisions: { ...approvers.policy.decisions, plan: 2 } })
    expect(await approve(1n, [one], { request: { nonce } })).toBe('accepted')
    await rows('ALTER TABLE approval DROP CONSTRAINT approval_nonce_used_once')
    expect(await refused(await approve(1n, [one], { request: { nonce } }), one)).toBe('nonce_used')
    const { acceptor: after } = await harness.restart()
    const again = await approvers.submitDecisions(1n, [one], { request: { nonce } })
    expect(await refused(await after.decide(again), one)).toBe('nonce_used')
    policyIs({ decisions: approvers.policy.decisions })
  })

  it('is refused by a key that was taken out of the key file', async () => {
    const one = await proposed()
    const others = approvers.policy.approvers
    policyIs({ approvers: others.filter(({ memberId }) => memberId !== 4n) })
    expect(await refused(await approve(4n, [one]), one)).toBe('not_an_approver')
    policyIs({ approvers: others.map((each) => ({ ...each, passkeys: [] })) })
    expect(await refused(await approve(4n, [one]), one)).toBe('unknown_key')
    policyIs({ approvers: others })
  })

  it('is refused of a kind that the signer does not know, and of one decision twice', async () => {
    const one = await proposed()
    expect(await refused(await approve(1n, [{ ...one, kind: 'sweep' }]), one)).toBe('unknown_decision')
    expect(await refused(await approve(1n, [one, one], { stored: [one] }), one)).toBe('list_differs')
  })
})

describe('a server that lies about a decision', () => {
  const other = (one: DecisionRow): DecisionRow => ({
    ...one,
    statement: { ...one.statement, sha256: 'a'.repeat(64) },
  })

  it.each<[string, (one: DecisionRow, more: DecisionRow) => readonly DecisionRow[]]>([
    ['another statement', (one) => [other(one)]],
    ['another decision in its place', (_one, more) => [more]],
    ['another kind', (one) => [{ ...one, kind: 'run_release' }]],
    ['one decision more', (one, more) => [one, more]],
    ['none', () => []],
    [
      'a number in the statement',
      (one) => [{ ...one, statement: { ...one.statement, sum: 5 as unknown as string } }],
    ],
  ])('after it was signed, storing %s, is refused: list_differs', async (_what, change) => {
    const [one, more] = [await proposed(), await proposed()]
    expect(await refused(await approve(1n, [one], { stored: change(one, more) }), one)).toBe('list_differs')
    expect(await stateOf(more)).toBe('open')
  })

  it('before it was signed is not applied: what was seen is not what was proposed', async () => {
    const one = await proposed()
    expect(await refused(await approve(1n, [other(one)]), one)).toBe('rows_differ')
  })

  it('by changing what was proposed since is refused', async () => {
    const one = await proposed()
    const approval = await approvers.submitDecisions(1n, [one])
    await rows('ALTER TABLE decision DISABLE TRIGGER decision_never_changes')
    await rows(
      `UPDATE decision SET statement = statement || '{"starts_at": "2091-01-01T00:00:00Z"}' WHERE id = $1`,
      [one.decisionId],
    )
    expect(await refused(await acceptor.decide(approval), one)).toBe('rows_differ')
    const two = await proposed()
    await rows(`UPDATE decision SET document = '{"passive": {"percentPerPeriod": "99"}}' WHERE id = $1`, [
      two.decisionId,
    ])
    await rows('ALTER TABLE decision ENABLE TRIGGER decision_never_changes')
    expect(await approve(1n, [two])).toBe('document_differs')
    expect(await stateOf(two)).toBe('refused')
  })

  it('by passing an approved decision off as the approval of a withdrawal: nothing is signed', async () => {
    const asked = await harness.request({ needed: 1 })
    const listed = await approvers.shown([asked.id])
    const one = await proposed()
    const approval = await approvers.submitDecisions(1n, [one])
    expect(await acceptor.decide(approval)).toBe('accepted')
    const { root, count } = listOf(listed)
    await harness.withoutTriggers(
      'approval',
      `UPDATE approval SET purpose = 'withdrawals', root = $2, row_count = $3 WHERE id = $1`,
      approval,
      root,
      count,
    )
    await rows(
      `INSERT INTO approval_row (approval_id, position, withdrawal_id, member_id, amount, fee, wallet_address)
       SELECT $1, 0, id, member_id, amount, fee, wallet_address FROM withdrawal WHERE id = $2`,
      [approval, asked.id],
    )
    await harness.claimApproved(asked)
    const reply = await harness.newSigner().sign(await harness.prepareWithdrawal(asked))
    expect(reply).toMatchObject({ signed: false, code: 'approval_unknown' })
  })
})

describe('a code', () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const pinned = approvers.policy.approvers.map((each) => ({ ...each, codeSecret: secret }))
  const byCode = (decisions: readonly DecisionRow[], operator = 1n) =>
    approve(operator, decisions, {
      proof: { kind: 'code', code: codeAt(secret, harness.now().getTime()) },
    })

  it('approves decisions where the key file says so, once', async () => {
    policyIs({ approvers: pinned, decisions: { run: 1, plan: 1, memberKey: 1, codes: true } })
    const [one, two] = [await proposed(), await proposed()]
    expect(await byCode([one])).toBe('accepted')
    expect(await stateOf(one)).toBe('accepted')
    expect(await refused(await byCode([two]), two)).toBe('wrong_code')
  })

  it('never approves a member’s key, also beside another decision', async () => {
    await harness.pass(MINUTE)
    const [one, key] = [await proposed(), await proposed('member_key')]
    expect(await refused(await byCode([one, key]), key)).toBe('code_not_for_decisions')
  })

  it('approves none elsewhere', async () => {
    await harness.pass(MINUTE)
    policyIs({ approvers: pinned, decisions: { run: 1, plan: 1, memberKey: 1, codes: false } })
    const one = await proposed()
    expect(await refused(await byCode([one]), one)).toBe('code_not_for_decisions')
  })
})
