/** A server that lies, in front of honest operators: nothing that was not shown to them is ever signed. */
import { listOf } from '@aval/approvals'
import { createAuthenticator } from '@aval/approvals/testing'
import { depositAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { ORIGIN } from '../testing/approvers.ts'
import { suiteHarness } from '../testing/suite.ts'
import { codeAt } from './approvals/totp.ts'
import { USDT, XPUB } from './testing/fixtures.ts'
import { type ApprovedWithdrawal, createSignerHarness } from './testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)
const { approve, approvers, claimApproved, request, rows, withoutTriggers } = harness
const MINUTE = 60_000
const STRANGER = depositAddress(XPUB, 9_999_999)

const shown = (...listed: readonly ApprovedWithdrawal[]) => approvers.shown(listed.map(({ id }) => id))
/** The signer's answer where the database says that all is approved. */
async function signs(asked: ApprovedWithdrawal): Promise<string> {
  await claimApproved(asked)
  const reply = await harness.newSigner().sign(await harness.prepareWithdrawal(asked))
  return reply.signed ? 'signed' : reply.code
}
/** What an approval is refused as, and that nothing is signed for it. */
async function refused(verdict: string, asked: ApprovedWithdrawal): Promise<string> {
  expect(verdict).not.toBe('accepted')
  expect(await signs(asked)).toBe('approvals_missing')
  return verdict
}

describe('an approval is refused, by name, that', () => {
  const one = () => request({ needed: 1 })

  it.each<[string, string, Parameters<typeof approve>[2]]>([
    ['was made at another origin', 'wrong_origin', { assertion: { origin: 'http://localhost:3000' } }],
    ['was signed without its person', 'user_not_verified', { assertion: { flags: 1 } }],
    ['is of another network', 'other_network', { request: { network: 'nile' } }],
    [
      'was signed for another network',
      'wrong_challenge',
      { request: { network: 'nile' }, row: { network: 'devnet' } },
    ],
    ['was signed for another nonce', 'wrong_challenge', { row: { nonce: 'e'.repeat(64) } }],
    [
      'was signed for another moment',
      'wrong_challenge',
      { row: { expires_at: new Date(Date.UTC(2030, 0, 1, 0, 8)) } },
    ],
    ['is by a key of nobody', 'unknown_key', { by: createAuthenticator(ORIGIN) }],
    ['is by another operator’s key', 'unknown_key', { by: approvers.keyOf(2n) }],
    ['has no proof', 'proof_invalid', { proof: {} }],
    ['has a code where no secret is pinned', 'code_not_set_up', { proof: { kind: 'code', code: '123456' } }],
    ['has ended', 'approval_expired', { request: { expiresAt: Date.UTC(2030, 0, 1) } }],
    [
      'lasts for too long',
      'approval_too_far',
      { request: { expiresAt: Date.UTC(2030, 0, 1) + 11 * MINUTE } },
    ],
  ])('%s: %s', async (_what, code, differences) => {
    const asked = await one()
    expect(await refused(await approve(1n, [asked], differences), asked)).toBe(code)
  })

  it.each([
    [10 * MINUTE + 30_000, 'accepted'],
    [10 * MINUTE + 30_001, 'approval_too_far'],
    [1, 'accepted'],
    [0, 'approval_expired'],
  ])('comes from a clock that is off: good for %i ms by ours is %s', async (left, verdict) => {
    const expiresAt = harness.now().getTime() + left
    expect(await approve(1n, [await one()], { request: { expiresAt } })).toBe(verdict)
  })

  it('names an operator whom the key file does not', async () => {
    await rows(`INSERT INTO member (id, username, email, password_hash, ref_code, is_operator, operator_role, terms_accepted_at, joined_at)
      OVERRIDING SYSTEM VALUE VALUES (77, 'mallory', 'm@example.org', '', '7777777', true, 'admin', now(), now())`)
    const asked = await one()
    expect(await refused(await approve(77n, [asked]), asked)).toBe('not_an_approver')
  })

  it('is of the member’s own withdrawal, also in a list of others', async () => {
    const own = await request({ needed: 1, memberId: 1n })
    const asked = await one()
    expect(await refused(await approve(1n, [asked, own]), asked)).toBe('own_withdrawal')
  })

  it('is replayed, under the same number or another', async () => {
    const asked = await one()
    const nonce = 'd'.repeat(64)
    expect(await approve(1n, [asked], { request: { nonce } })).toBe('accepted')
    await rows('ALTER TABLE approval DROP CONSTRAINT approval_nonce_used_once')
    expect(await approve(1n, [asked], { request: { nonce } })).toBe('nonce_used')
    expect(await approve(1n, [await one()], { request: { nonce } })).toBe('nonce_used')
  })

  it('is by a key whose counter falls', async () => {
    expect(await approve(4n, [await one()], { assertion: { counter: 900 } })).toBe('accepted')
    const asked = await one()
    expect(await refused(await approve(4n, [asked], { assertion: { counter: 900 } }), asked)).toBe(
      'counter_fell',
    )
    await harness.restart()
    expect(await approve(4n, [asked], { assertion: { counter: 899 } })).toBe('counter_fell')
    expect(await approve(4n, [asked], { assertion: { counter: 901 } })).toBe('accepted')
  })
})

describe('a list that is not the one that was shown', () => {
  const other = { wallet: String(STRANGER) }
  it.each<
    [
      string,
      (list: Awaited<ReturnType<typeof shown>>, more: Awaited<ReturnType<typeof shown>>) => typeof list,
    ]
  >([
    ['with one row more', (list, more) => [...list, ...more]],
    ['with one row less', (list) => list.slice(1)],
    ['with another one in its place', (list, more) => [...list.slice(1), ...more]],
    ['with rows changed round', (list) => list.toReversed()],
    [
      'with another amount',
      ([first, ...rest]) => (first === undefined ? [] : [{ ...first, amount: first.amount + 1n }, ...rest]),
    ],
    ['with another fee', ([first, ...rest]) => (first === undefined ? [] : [{ ...first, fee: 0n }, ...rest])],
    [
      'with another member',
      ([first, ...rest]) => (first === undefined ? [] : [{ ...first, memberId: 5n }, ...rest]),
    ],
    [
      'with another wallet',
      ([first, ...rest]) => (first === undefined ? [] : [{ ...first, ...other }, ...rest]),
    ],
  ])('%s is refused: list_differs', async (_what, change) => {
    const [one, two, more] = [
      await request({ needed: 1 }),
      await request({ needed: 1 }),
      await request({ needed: 1 }),
    ]
    const stored = change(await shown(one, two), await shown(more))
    expect(await refused(await approve(1n, [one, two], { stored }), one)).toBe('list_differs')
    expect(await signs(more)).toBe('approvals_missing')
  })

  it('and has the count of what was stored, was signed for no other', async () => {
    const [one, more] = [await request({ needed: 1 }), await request({ needed: 1 })]
    const stored = await shown(one, more)
    const { root, count } = listOf(stored)
    const verdict = await approve(1n, [one], { stored, row: { root, row_count: count } })
    expect(await refused(verdict, one)).toBe('wrong_challenge')
  })
})

describe('after operators have approved', () => {
  const approvedOnce = () => harness.withdrawal({ needed: 1, operators: [1n] })

  it('another wallet in the withdrawal is not paid', async () => {
    const asked = await approvedOnce()
    await withoutTriggers(
      'withdrawal',
      'UPDATE withdrawal SET wallet_address = $2 WHERE id = $1',
      asked.id,
      STRANGER,
    )
    expect(await signs({ ...asked, wallet: STRANGER })).toBe('row_differs')
  })

  it('another amount, or a fee that shrank, is not paid', async () => {
    const [more, cheap] = [await approvedOnce(), await approvedOnce()]
    await withoutTriggers(
      'withdrawal',
      'UPDATE withdrawal SET amount = amount * 9, from_balance = amount * 9 WHERE id = $1',
      more.id,
    )
    expect(await signs({ ...more, amount: more.amount * 9n })).toBe('row_differs')
    await withoutTriggers('withdrawal', 'UPDATE withdrawal SET fee = 0 WHERE id = $1', cheap.id)
    expect(await signs({ ...cheap, fee: 0n })).toBe('row_differs')
  })

  it('a list rewritten to fit is not the one in the journal', async () => {
    const asked = await approvedOnce()
    await withoutTriggers(
      'withdrawal',
      'UPDATE withdrawal SET wallet_address = $2 WHERE id = $1',
      asked.id,
      STRANGER,
    )
    await withoutTriggers(
      'approval_row',
      'UPDATE approval_row SET wallet_address = $2 WHERE withdrawal_id = $1',
      asked.id,
      STRANGER,
    )
    expect(await signs({ ...asked, wallet: STRANGER })).toBe('list_differs')
  })

  it('a row added to an accepted list, and an approval that nobody gave, count for nothing', async () => {
    const [asked, other] = [await approvedOnce(), await request({ needed: 1 })]
    const [found] = await rows<{ approval_id: string }>(
      'SELECT approval_id FROM approval_row WHERE withdrawal_id = $1',
      [asked.id],
    )
    await rows(
      `INSERT INTO approval_row SELECT $1, 1, id, member_id, amount, fee, wallet_address FROM withdrawal WHERE id = $2`,
      [found?.approval_id, other.id],
    )
    expect(await signs(other)).toBe('list_differs')
    const invented = await request({ needed: 1 })
    const approval = await approvers.submit(1n, await shown(invented), { proof: {} })
    await rows("UPDATE approval SET state = 'accepted', decided_at = now() WHERE id = $1", [approval])
    await rows('INSERT INTO withdrawal_approval VALUES ($1, $2, 1, now())', [invented.memberId, invented.id])
    expect(await signs(invented)).toBe('approval_unknown')
  })

  it('the lists of two approvals swapped fit neither', async () => {
    const [one, two] = [await approvedOnce(), await approvedOnce()]
    await rows('DROP INDEX approval_row_by_withdrawal')
    await withoutTriggers(
      'approval_row',
      `UPDATE approval_row r SET withdrawal_id = o.withdrawal_id, member_id = o.member_id, wallet_address = o.wallet_address
       FROM approval_row o WHERE r.withdrawal_id IN ($1, $2) AND o.withdrawal_id IN ($1, $2) AND o.withdrawal_id <> r.withdrawal_id`,
      one.id,
      two.id,
    )
    expect([await signs(one), await signs(two)]).toEqual(['list_differs', 'list_differs'])
  })

  it('what was approved is signed by a signer that was restarted', async () => {
    const asked = await approvedOnce()
    await harness.restart()
    expect(await signs(asked)).toBe('signed')
  })
})

describe('a database that takes a signature and says that it stored none', () => {
  it('gets no second one for the withdrawal, and the first counts', async () => {
    await rows('ALTER FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) RENAME TO honest')
    await rows(
      `CREATE FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) RETURNS TABLE (txid text, verdict text) LANGUAGE sql
         AS $$ SELECT unnest($1), 'stopped' $$`,
    )
    await rows('GRANT EXECUTE ON FUNCTION sign_outgoing_transfers(text[], bytea[], bigint) TO aval_signer')
    const asked = await harness.withdrawal({ needed: 1 })
    const before = harness.journal.memory.signedSums(harness.now().getTime(), asked.memberId).day
    const first = await harness.prepareWithdrawal(asked)
    expect(await harness.signer.sign(first)).toMatchObject({ code: 'stopped' })
    expect(await harness.signer.sign(await harness.expire(first))).toMatchObject({ signed: false })
    await rows('DROP FUNCTION sign_outgoing_transfers(text[], bytea[], bigint)')
    await rows('ALTER FUNCTION honest(text[], bytea[], bigint) RENAME TO sign_outgoing_transfers')
    expect(await signs(asked)).toBe('earlier_transfer_valid')
    const { day } = harness.journal.memory.signedSums(harness.now().getTime(), asked.memberId)
    expect(day - before).toBe(asked.amount - asked.fee)
  })
})

describe('enough operators', () => {
  it('are different ones: one who approves twice is one', async () => {
    const asked = await request({ needed: 1, amount: 1_500n * USDT })
    expect([await approve(1n, [asked]), await approve(1n, [asked])]).toEqual(['accepted', 'accepted'])
    expect(await signs(asked)).toBe('approvals_missing')
  })

  it('are as many as the key file asks for, where a plan asks for nobody', async () => {
    const small = await request({ needed: 0 })
    expect(await signs(small)).toBe('approvals_missing')
    const large = await request({ needed: 0, amount: 1_000n * USDT })
    expect(await approve(1n, [large])).toBe('accepted')
    expect((await rows('SELECT state FROM withdrawal WHERE id = $1', [large.id]))[0]).toEqual({
      state: 'requested',
    })
    expect(await signs(large)).toBe('approvals_missing')
  })

  it('are as many as the database asks for, where that is more', async () => {
    expect(await signs(await harness.withdrawal({ needed: 3, operators: [1n, 2n] }))).toBe(
      'approvals_missing',
    )
    expect(await signs(await harness.withdrawal({ needed: 3, operators: [1n, 2n, 3n] }))).toBe('signed')
  })

  it('are those for all that a member takes in a day, however it is split', async () => {
    const memberId = 600_000n
    const [first, second] = [
      await request({ needed: 1, amount: 600n * USDT, memberId }),
      await request({ needed: 1, amount: 600n * USDT, memberId }),
    ]
    expect(await approve(1n, [first, second])).toBe('accepted')
    const states = 'SELECT DISTINCT state FROM withdrawal WHERE id IN ($1, $2)'
    expect(await rows(states, [first.id, second.id])).toEqual([{ state: 'requested' }])
    // Whatever the database says: one operator lets no more than 1,000 go.
    expect([await signs(first), await signs(second)]).toEqual(['signed', 'approvals_missing'])
  })

  it('and over two lists', async () => {
    const memberId = 600_001n
    const [first, second] = [
      await request({ needed: 1, amount: 600n * USDT, memberId }),
      await request({ needed: 1, amount: 600n * USDT, memberId }),
    ]
    expect([await approve(1n, [first]), await approve(1n, [second])]).toEqual(['accepted', 'accepted'])
    const states = 'SELECT state FROM withdrawal WHERE id IN ($1, $2) ORDER BY id'
    expect(await rows(states, [first.id, second.id])).toEqual([{ state: 'approved' }, { state: 'requested' }])
    expect([await signs(first), await signs(second)]).toEqual(['signed', 'approvals_missing'])
    expect(await approve(2n, [second])).toBe('accepted')
    expect(await rows(states, [first.id, second.id])).toEqual([{ state: 'approved' }, { state: 'approved' }])
  })

  it('are those whose keys are still pinned', async () => {
    const asked = await harness.withdrawal({ needed: 1, operators: [3n] })
    const before = harness.policy()
    harness.policyIs({ approvers: before.approvers.filter(({ memberId }) => memberId !== 3n) })
    expect(await signs(asked)).toBe('approver_unknown')
    const next = await request({ needed: 1 })
    expect(await approve(3n, [next])).toBe('not_an_approver')
    harness.policyIs({
      approvers: before.approvers.map((each) => (each.memberId === 3n ? { ...each, passkeys: [] } : each)),
    })
    expect(await approve(3n, [next])).toBe('unknown_key')
    harness.policyIs(before)
  })
})

describe('codes, which say nothing of what they approve', () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const before = harness.policy()
  const withCodes = (each: bigint, perDay: bigint) =>
    harness.policyIs({
      approvers: before.approvers.map((approver) => ({ ...approver, codeSecret: secret })),
      codes: { each: each * USDT, perDay: perDay * USDT },
    })
  const code = (at = harness.now().getTime()) => ({ proof: { kind: 'code', code: codeAt(secret, at) } })
  const asked = (amount = 100n) => request({ needed: 1, amount: amount * USDT })

  it('are good once, half a minute before or after', async () => {
    withCodes(500n, 10_000n)
    await harness.pass(24 * 60 * MINUTE)
    const one = await asked()
    expect(await approve(1n, [one], code())).toBe('accepted')
    expect(await approve(1n, [await asked()], code())).toBe('wrong_code')
    expect(await signs(one)).toBe('signed')
    const now = harness.now().getTime()
    expect(await approve(2n, [await asked()], code(now - 60_000))).toBe('wrong_code')
    expect(await approve(2n, [await asked()], code(now - 30_000))).toBe('accepted')
    expect(await approve(2n, [await asked()], code(now + 30_000))).toBe('accepted')
    expect(await approve(2n, [await asked()], code(now))).toBe('wrong_code')
  })

  it('approve no more than the key file says, each and a day, also after a restart', async () => {
    withCodes(150n, 450n)
    await harness.pass(24 * 60 * MINUTE)
    expect(await approve(1n, [await asked(151n)], code())).toBe('code_above_cap')
    expect(await approve(1n, [await asked(150n), await asked(150n)], code())).toBe('accepted')
    await harness.pass(MINUTE)
    await harness.restart()
    expect(await approve(2n, [await asked(150n), await asked(2n)], code())).toBe('code_day_reached')
    expect(await approve(2n, [await asked(150n)], code())).toBe('accepted')
  })

  it('are locked after ten wrong ones, and the operator’s passkey is not', async () => {
    withCodes(500n, 100_000n)
    await harness.pass(24 * 60 * MINUTE)
    const one = await asked()
    const wrong = { proof: { kind: 'code', code: codeAt(secret, 0) } }
    for (let guess = 0; guess < 10; guess += 1) expect(await approve(3n, [one], wrong)).toBe('wrong_code')
    await harness.restart()
    expect(await approve(3n, [one], code())).toBe('code_locked')
    expect(await approve(2n, [one], code())).toBe('accepted')
    expect(await approve(3n, [one], { assertion: { counter: 5_000 } })).toBe('accepted')
  })

  it('approve nothing on a public network, unless its key file says so', async () => {
    withCodes(0n, 0n)
    expect(await approve(1n, [await asked()], code())).toBe('code_above_cap')
    harness.policyIs(before)
  })
})

describe('a journal that went wrong', () => {
  it('refuses every approval and every signature, by its name', async () => {
    const asked = await harness.withdrawal({ needed: 1 })
    const { kept } = harness.journals
    const whole = kept.text
    kept.text = whole?.slice(0, -10) ?? null
    expect(await harness.restart()).toMatchObject({ fault: 'journal_damaged' })
    const txid = await harness.prepareWithdrawal(asked)
    expect(await harness.signer.sign(txid)).toMatchObject({ code: 'journal_damaged' })
    expect(await approve(1n, [await request()])).toBe('journal_damaged')
    kept.text = whole
    expect(await harness.restart()).toMatchObject({ fault: null })
    expect(await harness.signer.sign(txid)).toMatchObject({ signed: true })
  })

  it('is found out by the database where it is a copy of before', async () => {
    const { kept } = harness.journals
    const copy = kept.text
    expect(await signs(await harness.withdrawal({ needed: 1 }))).toBe('signed')
    const whole = kept.text
    kept.text = copy
    expect(await harness.restart()).toMatchObject({ fault: 'journal_behind' })
    kept.text = whole
    expect(await harness.restart()).toMatchObject({ fault: null })
  })
})
