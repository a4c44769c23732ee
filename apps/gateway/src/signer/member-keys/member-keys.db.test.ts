/** Only a member's passkey moves the member's money, whatever the API and the database say. */
import type { DecisionRow } from '@aval/approvals'
import type { Authenticator } from '@aval/approvals/testing'
import { describe, expect, it } from 'vitest'
import { MEMBERS_ORIGIN, ORIGIN } from '../../testing/approvers.ts'
import { suiteHarness } from '../../testing/suite.ts'
import { CHAIN_NOW, USDT } from '../testing/fixtures.ts'
import { createMembers, type KeyDifferences, newKey, type ProofDifferences } from '../testing/members.ts'
import { type ApprovedWithdrawal, createSignerHarness } from '../testing/signer-harness.ts'

const harness = await suiteHarness(createSignerHarness)
const { rows, withoutTriggers } = harness
const members = createMembers(harness)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let last = 700_000
/** A member of this test alone. */
const newMember = (): bigint => {
  last += 1
  return BigInt(last)
}
/** One whose passkey the signer has sealed. */
const withKey = async (): Promise<{ memberId: bigint; key: Authenticator }> => {
  const [memberId, key] = [newMember(), newKey()]
  expect(await members.change(memberId, key)).toBe('sealed')
  return { memberId, key }
}
/** Approved by an operator, as every withdrawal here. */
const approved = (memberId: bigint, amount = 100n * USDT) =>
  harness.withdrawal({ needed: 1, operators: [1n], memberId, amount })
const answer = async (txid: string): Promise<string> => {
  const reply = await harness.newSigner().sign(txid)
  return reply.signed ? 'signed' : reply.code
}
const signs = async (asked: ApprovedWithdrawal): Promise<string> =>
  answer(await harness.prepareWithdrawal(asked))

interface Asked {
  readonly memberId: bigint
  readonly version: number
  readonly keyHash: string
}
const { decisions } = harness.approvers.policy
/** What operators are shown about a key; they know nothing of members but what the database says. */
async function decisionAbout(
  { memberId, version, keyHash }: Asked,
  subject = `member_key:${memberId}`,
): Promise<DecisionRow> {
  const statement = { member: String(memberId), username: 'ana', version: String(version), key_hash: keyHash }
  const [open] = await rows<{ id: string }>("SELECT id FROM decision WHERE subject = $1 AND state = 'open'", [
    subject,
  ])
  if (open !== undefined) return { decisionId: BigInt(open.id), kind: 'member_key', statement }
  const [made] = await rows<{ id: string }>(
    `INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at) VALUES ('member_key', $1, $2, 1, now()) RETURNING id`,
    [subject, JSON.stringify(statement)],
  )
  return { decisionId: BigInt(made?.id ?? 0), kind: 'member_key', statement }
}
/** An operator approves this key; what became of it. */
async function decided(
  asked: Asked,
  { operator = 1n, subject }: { operator?: bigint; subject?: string } = {},
) {
  const decision = await decisionAbout(asked, subject)
  const approval = await harness.approvers.submitDecisions(operator, [decision])
  expect(await harness.acceptor.decide(approval)).toBe('accepted')
  await harness.memberKeys.decideAll()
  const after = await members.stateOf(asked.memberId, asked.version)
  return after?.refusal ?? after?.state ?? 'gone'
}

describe('a member’s withdrawal', () => {
  it('is signed with the passkey’s signature, and by operators alone where the member has no key', async () => {
    const { memberId, key } = await withKey()
    const asked = await approved(memberId)
    await members.prove(key, asked)
    expect(await signs(asked)).toBe('signed')
    expect(await signs(await approved(newMember()))).toBe('signed')
  })

  it('is signed as before once the member has switched it off', async () => {
    const { memberId, key } = await withKey()
    expect(await members.change(memberId, null, { kind: 'off', by: key, version: 2 })).toBe('sealed')
    expect(await signs(await approved(memberId))).toBe('signed')
  })

  it('is signed again with the same signature after its first transfer expired, and by a signer that was restarted', async () => {
    const { memberId, key } = await withKey()
    const asked = await approved(memberId)
    await members.prove(key, asked)
    const first = await harness.prepareWithdrawal(asked)
    expect(await harness.signer.sign(first)).toMatchObject({ signed: true })
    await harness.expire(first)
    await harness.restart()
    const later = CHAIN_NOW + 3 * HOUR
    const bytes = { timestamp: later, expiration: later + MINUTE }
    expect(await answer(await harness.prepareWithdrawal(asked, { bytes }))).toBe('signed')
  })

  it.each<[string, string, ProofDifferences]>([
    ['of another amount', 'member_proof_invalid', { signed: { amount: 1n } }],
    [
      'to another wallet',
      'member_proof_invalid',
      { signed: { wallet: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' } },
    ],
    ['of another member', 'member_proof_invalid', { signed: { memberId: 5n } }],
    ['of another network', 'member_proof_invalid', { signed: { network: 'nile' } }],
    ['with another nonce', 'member_proof_invalid', { row: { nonce: 'e'.repeat(64) } }],
    ['at another origin', 'member_proof_invalid', { assertion: { origin: 'https://evil.example' } }],
    ['at the operators’ page', 'member_proof_invalid', { assertion: { origin: ORIGIN } }],
    ['for another relying party', 'member_proof_invalid', { assertion: { rpId: 'evil.example' } }],
    ['without the person', 'member_proof_invalid', { assertion: { flags: 1 } }],
    ['with nonsense', 'member_proof_invalid', { row: { proof: '{}' } }],
    ['for later than ten minutes', 'member_proof_invalid', { expiresAt: Date.UTC(2030, 0, 1) + 100 * DAY }],
    ['more than thirty days ago', 'member_proof_expired', { expiresAt: Date.UTC(2030, 0, 1) - 30 * DAY - 1 }],
  ])('is not signed that the passkey signed %s: %s', async (_what, code, differences) => {
    const { memberId, key } = await withKey()
    const asked = await approved(memberId)
    await members.prove(key, asked, differences)
    expect(await signs(asked)).toBe(code)
  })

  it('is not signed without the passkey’s signature, or with that of another passkey or member', async () => {
    const { memberId, key } = await withKey()
    expect(await signs(await approved(memberId))).toBe('member_proof_missing')
    const byOther = await approved(memberId)
    await members.prove(newKey(), byOther)
    expect(await signs(byOther)).toBe('member_proof_invalid')
    const claimed = await approved(memberId)
    await members.prove(newKey(), claimed, { row: { credential_id: key.passkey.credentialId } })
    expect(await signs(claimed)).toBe('member_proof_invalid')
    const stranger = await withKey()
    const asked = await approved(memberId)
    await members.prove(stranger.key, asked)
    expect(await signs(asked)).toBe('member_proof_invalid')
  })

  it('is not signed with a signature that another withdrawal was signed with, also after a restart', async () => {
    const { memberId, key } = await withKey()
    const [first, second] = [await approved(memberId), await approved(memberId)]
    const nonce = await members.prove(key, first)
    expect(await signs(first)).toBe('signed')
    await harness.restart()
    await rows(
      `INSERT INTO withdrawal_proof SELECT member_id, $2, credential_id, proof, expires_at, nonce FROM withdrawal_proof WHERE withdrawal_id = $1`,
      [first.id, second.id],
    )
    expect([first.amount, first.wallet]).toEqual([second.amount, second.wallet])
    expect(await signs(second)).toBe('member_proof_used')
    expect(harness.journal.memory.nonceUsedFor(nonce)).toBe(String(first.id))
  })
})

describe('a database that lies about the key', () => {
  const asking = async () => {
    const { memberId, key } = await withKey()
    const asked = await approved(memberId)
    await members.prove(key, asked)
    return { memberId, key, asked }
  }

  it('and deletes it, has nothing signed', async () => {
    const { memberId, asked } = await asking()
    await withoutTriggers('member_key', 'DELETE FROM member_key WHERE member_id = $1', memberId)
    expect(await signs(asked)).toBe('member_key_missing')
  })

  it('and puts a thief’s key in its place, has nothing signed', async () => {
    const { memberId } = await asking()
    const thief = newKey()
    const { publicKey, credentialId } = thief.passkey
    const statement = 'UPDATE member_key SET public_key = $2, credential_id = $3 WHERE member_id = $1'
    await withoutTriggers('member_key', statement, memberId, publicKey, credentialId)
    const asked = await approved(memberId)
    await members.prove(thief, asked)
    expect(await signs(asked)).toBe('member_key_differs')
  })

  it('and shows the version of before under the number of now, has nothing signed', async () => {
    const { memberId, key } = await withKey()
    const second = newKey()
    expect(await members.change(memberId, second, { kind: 'replaced', by: key, version: 2 })).toBe('sealed')
    const asked = await approved(memberId)
    await members.prove(key, asked)
    const txid = await harness.prepareWithdrawal(asked)
    expect(await answer(txid)).toBe('member_proof_invalid')
    await withoutTriggers(
      'member_key',
      'DELETE FROM member_key WHERE member_id = $1 AND version = 2',
      memberId,
    )
    expect(await answer(txid)).toBe('member_key_missing')
    await withoutTriggers('member_key', 'UPDATE member_key SET version = 2 WHERE member_id = $1', memberId)
    expect(await answer(txid)).toBe('member_key_differs')
  })

  it('and says that it is switched off, has nothing signed', async () => {
    const { memberId } = await withKey()
    await rows(
      `INSERT INTO member_key (member_id, version, kind, key_hash, proof, expires_at, nonce, state, decided_at, usable_from)
       VALUES ($1, 2, 'off', '', '{}', now(), $2, 'sealed', now(), now())`,
      [memberId, 'f'.repeat(64)],
    )
    expect(await signs(await approved(memberId))).toBe('member_proof_missing')
  })

  it('and says that a key was sealed of which the journal knows nothing, has nothing signed until operators seal one', async () => {
    const memberId = newMember()
    await members.submit(memberId, newKey(), {
      row: { state: 'sealed', decided_at: new Date(), usable_from: new Date() },
    })
    expect(await signs(await approved(memberId))).toBe('member_key_unknown')
    const key = newKey()
    const recovered = await members.submit(memberId, key, { kind: 'recovered', version: 2 })
    expect(await decided({ memberId, ...recovered })).toBe('sealed')
    const asked = await approved(memberId)
    await members.prove(key, asked)
    expect(await signs(asked)).toBe('signed')
  })

  it('and undoes it after the signer was restarted, has nothing signed', async () => {
    const { memberId } = await withKey()
    await harness.restart()
    await withoutTriggers('member_key', 'DELETE FROM member_key WHERE member_id = $1', memberId)
    expect(await signs(await approved(memberId))).toBe('member_key_missing')
  })
})

describe('a change of the key', () => {
  it('is the key’s own at first, and from then on that of the key before', async () => {
    const { memberId, key } = await withKey()
    const [second, third] = [newKey(), newKey()]
    expect(await members.change(memberId, second, { kind: 'replaced', by: key, version: 2 })).toBe('sealed')
    expect(await members.change(memberId, third, { kind: 'replaced', by: key, version: 3 })).toBe(
      'member_key_differs',
    )
    expect(await members.change(memberId, null, { kind: 'off', by: second, version: 4 })).toBe('sealed')
    expect(await members.change(memberId, third, { version: 5 })).toBe('sealed')
    expect(harness.journal.memory.memberKey(memberId)).toMatchObject({ version: 5, by: 'member' })
  })

  it.each<[string, string, KeyDifferences]>([
    ['signed at another origin', 'wrong_origin', { assertion: { origin: `${MEMBERS_ORIGIN}.evil.example` } }],
    ['signed in a frame', 'cross_origin', { assertion: { crossOrigin: true } }],
    ['signed without the person', 'user_not_verified', { assertion: { flags: 1 } }],
    ['signed for something else', 'wrong_challenge', { assertion: { challenge: Buffer.alloc(32, 7) } }],
    ['signed by another key', 'member_key_differs', { by: newKey() }],
    ['of a key that is not what was signed', 'member_key_differs', { row: { public_key: 'MFkw' } }],
    ['that has ended', 'member_key_expired', { expiresAt: Date.UTC(2030, 0, 1) }],
    ['that ends too late', 'member_key_too_far', { expiresAt: Date.UTC(2030, 0, 1) + 11 * MINUTE }],
    ['without a proof', 'proof_invalid', { row: { proof: '{}' } }],
    ['that replaces no key', 'member_key_off', { kind: 'replaced' }],
  ])('is refused: %s, %s', async (_what, code, differences) => {
    const memberId = newMember()
    expect(await members.change(memberId, newKey(), differences)).toBe(code)
    expect(harness.journal.memory.memberKey(memberId)).toBeNull()
    expect(await signs(await approved(memberId))).toBe('signed')
  })

  it('is refused where a thief switches on a key beside the member’s, or off with a key of the thief’s', async () => {
    const { memberId } = await withKey()
    expect(await members.change(memberId, newKey(), { version: 2 })).toBe('member_key_on')
    expect(await members.change(memberId, newKey(), { kind: 'replaced', by: newKey(), version: 3 })).toBe(
      'member_key_differs',
    )
    expect(await members.change(memberId, null, { kind: 'off', version: 4 })).toBe('member_key_differs')
    expect(await signs(await approved(memberId))).toBe('member_proof_missing')
  })

  it('is refused under a version that the journal has seen', async () => {
    const { memberId, key } = await withKey()
    await withoutTriggers('member_key', 'DELETE FROM member_key WHERE member_id = $1', memberId)
    expect(await members.change(memberId, newKey(), { by: key })).toBe('member_key_not_newer')
  })

  it('is refused while the key file does not say where members sign', async () => {
    const before = harness.policy()
    const { memberId, key } = await withKey()
    harness.policyIs({ membersOrigin: '' })
    expect(await members.change(newMember(), newKey())).toBe('members_origin_missing')
    const asked = await approved(memberId)
    await members.prove(key, asked)
    const txid = await harness.prepareWithdrawal(asked)
    expect(await answer(txid)).toBe('members_origin_missing')
    harness.policyIs(before)
    expect(await answer(txid)).toBe('signed')
  })

  it('is sealed by the next round where the process ended between journal and database', async () => {
    const { memberId } = await withKey()
    await withoutTriggers(
      'member_key',
      `UPDATE member_key SET state = 'submitted', decided_at = NULL, usable_from = NULL WHERE member_id = $1`,
      memberId,
    )
    const { sequence } = harness.journal.head()
    await harness.memberKeys.decideAll()
    expect(await members.stateOf(memberId, 1)).toMatchObject({ state: 'sealed' })
    expect(harness.journal.head().sequence).toBe(sequence)
  })
})

describe('a key in the place of a lost one', () => {
  const lost = async () => {
    const { memberId } = await withKey()
    const key = newKey()
    const recovered = await members.submit(memberId, key, { kind: 'recovered', version: 2 })
    return { memberId, key, asked: { memberId, ...recovered } }
  }

  it('waits until enough operators have decided', async () => {
    harness.policyIs({ decisions: { ...decisions, memberKey: 2 } })
    const { memberId, asked } = await lost()
    await harness.memberKeys.decideAll()
    expect(await members.stateOf(memberId, 2)).toMatchObject({ state: 'submitted' })
    expect(await decided(asked)).toBe('submitted')
    expect(await decided(asked, { operator: 1n })).toBe('submitted')
    expect(await decided(asked, { operator: 2n })).toBe('sealed')
    harness.policyIs({ decisions })
    expect(harness.journal.memory.memberKey(memberId)).toMatchObject({ version: 2, by: 'operators' })
  })

  it('waits although the database says that all of it was decided', async () => {
    const { memberId, asked } = await lost()
    const decision = await decisionAbout(asked)
    const approval = await harness.approvers.submitDecisions(1n, [decision])
    await rows("UPDATE approval SET state = 'accepted', decided_at = now() WHERE id = $1", [approval])
    await rows("UPDATE decision SET state = 'accepted', ended_at = now() WHERE id = $1", [
      decision.decisionId,
    ])
    await harness.memberKeys.decideAll()
    expect(await members.stateOf(memberId, 2)).toMatchObject({ state: 'submitted' })
  })

  it('moves nothing for the key file’s hours, and cannot be switched off meanwhile', async () => {
    const before = harness.policy()
    harness.policyIs({ memberKeyCoolingHours: 72 })
    const { memberId, key, asked } = await lost()
    expect(await decided(asked)).toBe('sealed')
    harness.policyIs(before)
    expect((await members.stateOf(memberId, 2))?.usable_from).toEqual(
      new Date(harness.now().getTime() + 72 * HOUR),
    )
    const paid = await approved(memberId)
    await members.prove(key, paid)
    const txid = await harness.prepareWithdrawal(paid)
    expect(await answer(txid)).toBe('member_key_cooling')
    expect(await members.change(memberId, null, { kind: 'off', by: key, version: 3 })).toBe(
      'member_key_cooling',
    )
    await harness.restart()
    await harness.pass(72 * HOUR - 1)
    expect(await answer(txid)).toBe('member_key_cooling')
    await harness.pass(1)
    expect(await answer(txid)).toBe('signed')
  })

  it.each<[string, (asked: Asked) => Asked]>([
    ['another member’s', (asked) => ({ ...asked, memberId: newMember() })],
    ['another version', (asked) => ({ ...asked, version: 3 })],
    ['another key', (asked) => ({ ...asked, keyHash: 'a'.repeat(64) })],
  ])('is not sealed by a decision about %s', async (_what, differing) => {
    const { memberId, asked } = await lost()
    await decided(differing(asked), { subject: `member_key:${memberId}` })
    expect(await members.stateOf(memberId, 2)).toMatchObject({ state: 'submitted' })
  })

  it('is not sealed by a list that was rewritten to be about it', async () => {
    const { memberId, asked } = await lost()
    const other = { ...asked, memberId: newMember() }
    await decided(other, { subject: `member_key:${memberId}` })
    await withoutTriggers(
      'approval_decision',
      `UPDATE approval_decision SET statement = statement || jsonb_build_object('member', $1::text) WHERE statement->>'member' = $2`,
      String(memberId),
      String(other.memberId),
    )
    await harness.memberKeys.decideAll()
    expect(await members.stateOf(memberId, 2)).toMatchObject({ state: 'submitted' })
  })

  it('is not sealed by who approves no more, and never by a code', async () => {
    const { memberId, asked } = await lost()
    harness.policyIs({ decisions: { ...decisions, memberKey: 2 } })
    await decided(asked)
    harness.policyIs({ decisions, approvers: harness.approvers.policy.approvers.slice(1) })
    await harness.memberKeys.decideAll()
    expect(await members.stateOf(memberId, 2)).toMatchObject({ state: 'submitted' })
    harness.policyIs({ approvers: harness.approvers.policy.approvers })
    await harness.memberKeys.decideAll()
    expect(await members.stateOf(memberId, 2)).toMatchObject({ state: 'sealed' })
  })

  it('is not one that the new passkey did not sign, or of more than thirty days ago', async () => {
    const { memberId } = await withKey()
    expect(await members.change(memberId, newKey(), { kind: 'recovered', by: newKey(), version: 2 })).toBe(
      'member_key_differs',
    )
    const { asked } = await lost()
    await harness.pass(30 * DAY + 10 * MINUTE)
    expect(await decided(asked)).toBe('member_key_expired')
  })
})
