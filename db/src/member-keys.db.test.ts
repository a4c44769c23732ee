import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { openRoles, refusal } from './testing/roles.ts'

const { roles, value, close } = await openRoles(inject('ownerUrl'))
afterAll(close)

const nonce = () => randomBytes(32).toString('hex')
const HASH = 'a'.repeat(64)

let last = 0
const newMember = async (): Promise<number> => {
  last += 1
  return Number(
    await value(
      'owner',
      `INSERT INTO member (username, email, email_proven_at, password_hash, ref_code, terms_accepted_at, joined_at)
       VALUES ($1, $1, now(), '', lpad($2, 7, '0'), now(), now()) RETURNING id`,
      [`member${last}`, String(last)],
    ),
  )
}

interface Change {
  readonly kind?: string
  readonly version?: number
  readonly credential?: string | null
  readonly hash?: string
  readonly minutes?: number
  readonly used?: string
}
const submit = (
  member: number,
  { kind = 'on', version = 1, credential = 'own', hash = HASH, minutes = 9, used = nonce() }: Change = {},
) =>
  value(
    'server',
    `SELECT submit_member_key($1, $2, $3, $4, $5, $6, $7, '{}', clock_timestamp() + $8 * interval '1 minute', $9)`,
    [member, version, kind, credential, credential && -7, credential && 'MFkw', hash, minutes, used],
  )
const off = { kind: 'off', credential: null, hash: '' }
const seal = (member: number, version = 1) =>
  value('signer', 'SELECT seal_member_key($1, $2, now())', [member, version])
const withKey = async () => {
  const member = await newMember()
  await submit(member)
  expect(await seal(member)).toBe(true)
  return member
}
const proof = (credential = 'own', used = nonce()) =>
  JSON.stringify({
    credential_id: credential,
    proof: { kind: 'passkey' },
    nonce: used,
    expires_at: new Date().toISOString(),
  })
/** A request of 5 USDT from a balance of 100. */
const request = async (member: number, its: string | null = null) => {
  await roles.owner.query(
    `INSERT INTO member_balance (member_id, balance) VALUES ($1, 100000000) ON CONFLICT DO NOTHING`,
    [member],
  )
  return value(
    'server',
    `SELECT request_withdrawal($1, 5000000, 1000000, 5000000, 0, 'T1', 1::smallint, 1, '[]', '', now(), $2::jsonb)`,
    [member, its],
  )
}

describe('a member’s key', () => {
  it('is submitted by the API and sealed by the signer', async () => {
    const member = await newMember()
    expect(await submit(member)).toBe(1)
    expect(await refusal(value('server', 'SELECT seal_member_key($1, 1, now())', [member]))).toBe('42501')
    expect(await seal(member)).toBe(true)
    expect(await seal(member)).toBe(true)
    expect(await seal(member, 2)).toBe(false)
  })

  it('is written and changed by nobody else', async () => {
    const member = await withKey()
    for (const role of ['server', 'signer', 'gateway', 'approvals'] as const) {
      expect(await refusal(value(role, 'DELETE FROM member_key'))).toBe('42501')
      expect(await refusal(value(role, "UPDATE member_key SET state = 'refused'"))).toBe('42501')
      expect(await refusal(value(role, 'INSERT INTO withdrawal_proof DEFAULT VALUES'))).toBe('42501')
      expect(await refusal(value(role, 'DELETE FROM member_nonce'))).toBe('42501')
    }
    const update = (set: string) =>
      value('owner', `UPDATE member_key SET ${set} WHERE member_id = $1`, [member])
    expect(await refusal(update("public_key = 'other'"))).not.toBeNull()
    expect(await refusal(value('signer', "SELECT refuse_member_key($1, 1, 'late')", [member]))).toBeNull()
    expect(await value('owner', 'SELECT state FROM member_key WHERE member_id = $1', [member])).toBe('sealed')
  })

  it.each<[string, string, Change]>([
    ['switched off, and none is on', 'member_key_follows', off],
    ['replaced, and none is on', 'member_key_follows', { kind: 'replaced' }],
    ['of a kind that nobody knows', 'member_key_follows', { kind: 'none' }],
    ['a version later', 'member_key_version_follows', { version: 2 }],
    ['for longer than ten minutes', 'member_key_expires_soon', { minutes: 11 }],
    ['after its end', 'member_key_expires_soon', { minutes: 0 }],
    ['without a key', 'member_key_has_a_key', { credential: null }],
    ['without a hash', 'member_key_has_a_key', { hash: '' }],
  ])('is not submitted %s: %s', async (_what, constraint, change) => {
    expect(await refusal(submit(await newMember(), change))).toBe(constraint)
  })

  it('is switched on once, and replaced or switched off from then on', async () => {
    const member = await withKey()
    expect(await refusal(submit(member, { version: 2 }))).toBe('member_key_follows')
    expect(await submit(member, { version: 2, kind: 'replaced' })).toBe(2)
    await seal(member, 2)
    expect(await submit(member, { version: 3, ...off })).toBe(3)
    await seal(member, 3)
    expect(await submit(member, { version: 4 })).toBe(4)
  })

  it('waits alone, and what waited for too long makes room', async () => {
    const member = await newMember()
    await submit(member)
    expect(await refusal(submit(member, { version: 2 }))).toBe('member_key_waits')
    await roles.owner.query('ALTER TABLE member_key DISABLE TRIGGER USER')
    await roles.owner.query(`UPDATE member_key SET expires_at = now() WHERE member_id = $1`, [member])
    await roles.owner.query('ALTER TABLE member_key ENABLE TRIGGER USER')
    expect(await submit(member, { version: 2 })).toBe(2)
    expect(
      await value('owner', 'SELECT refusal FROM member_key WHERE member_id = $1 AND version = 1', [member]),
    ).toBe('member_key_expired')
  })

  it('is not changed while a withdrawal is open', async () => {
    const member = await newMember()
    const id = await request(member)
    expect(await refusal(submit(member))).toBe('member_key_without_open_withdrawals')
    await value('server', 'SELECT cancel_withdrawal($1, $2, NULL, now())', [member, id])
    expect(await submit(member)).toBe(1)
  })

  it('in the place of a lost one is taken back by its member, and nothing else is', async () => {
    const member = await withKey()
    expect(await value('server', 'SELECT cancel_member_key($1)', [member])).toBe(false)
    await submit(member, { version: 2, kind: 'recovered' })
    expect(await refusal(request(member, proof()))).toBe('member_key_waits')
    expect(await value('server', 'SELECT cancel_member_key($1)', [member])).toBe(true)
    expect(await refusal(request(member, proof()))).toBeNull()
  })
})

describe('a withdrawal', () => {
  it('needs no signature of a member without a key, and takes none', async () => {
    const member = await newMember()
    expect(await refusal(request(member))).toBeNull()
    expect(await refusal(request(member, proof()))).toBe('withdrawal_proof_by_its_key')
  })

  it('is not requested without the signature of the member’s key, nor with that of another', async () => {
    const member = await withKey()
    expect(await refusal(request(member))).toBe('withdrawal_has_its_proof')
    expect(await refusal(request(member, proof('other')))).toBe('withdrawal_proof_by_its_key')
    expect(await refusal(request(member, proof()))).toBeNull()
    expect(
      await value('signer', 'SELECT count(*)::int FROM withdrawal_proof WHERE member_id = $1', [member]),
    ).toBe(1)
  })

  it('needs none any more after it was switched off', async () => {
    const member = await withKey()
    await submit(member, { version: 2, ...off })
    expect(await refusal(request(member))).toBe('member_key_waits')
    await seal(member, 2)
    expect(await refusal(request(member))).toBeNull()
  })

  it('and whatever else was signed has a nonce of its own', async () => {
    const [member, other] = [await withKey(), await withKey()]
    const used = nonce()
    expect(await refusal(request(member, proof('own', used)))).toBeNull()
    expect(await refusal(request(other, proof('own', used)))).toBe('member_nonce_used_once')
    expect(await refusal(submit(other, { version: 2, kind: 'replaced', used }))).toBe(
      'member_nonce_used_once',
    )
    expect(await refusal(value('server', 'SELECT use_member_nonce($1, $2)', [other, used]))).toBe(
      'member_nonce_used_once',
    )
  })
})
