/** Members whose passkey alone moves money: what the API asks for, and what it refuses. The signer's own tests are in the gateway. */
import {
  memberKeyChallenge,
  memberKeyHash,
  memberWalletChallenge,
  memberWithdrawalChallenge,
} from '@aval/approvals'
import { type Authenticator, createAuthenticator } from '@aval/approvals/testing'
import type { MemberKeyKind, MemberKeyParts, MemberKeyState, Problem } from '@aval/contract'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { clientOf, PROBLEM, TEST_PASSWORD } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { emailCodeFor, mailsTo, walletOf } from '../identity/testing/member-fixture.ts'
import { createWithdrawalFixture, type Withdrawer } from './testing/withdrawal-fixture.ts'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
/** A member whose client reads the names of refusals. */
async function newMember(balance?: string): Promise<Withdrawer> {
  const who = await money.withdrawer(balance)
  return { ...who, ...clientOf(money.server, { ...who.headers, ...PROBLEM }) }
}
const patch = ({ headers }: Withdrawer, payload: object) =>
  money.server.call({ method: 'PATCH', url: '/api/auth/user/', headers, payload })
const refusal = async (asking: Promise<LightMyRequestResponse>): Promise<string> => {
  const answer = await asking
  return `${answer.statusCode} ${(answer.json() as Partial<Problem>).code}`
}
const origin = new URL(money.server.context.config.publicUrl).origin

interface Signing {
  readonly network: string
  readonly memberId: bigint
  readonly expiresAt: number
  readonly nonce: string
}

const stateOf = async (who: Withdrawer): Promise<MemberKeyState> => (await who.get('auth/member-key/')).json()
const partsOf = async (who: Withdrawer): Promise<MemberKeyParts> =>
  (await who.post('auth/member-key/challenge/')).json()

/** What a passkey answers, and for what. @param nonce another than the server's */
async function proofOf(
  who: Withdrawer,
  by: Authenticator,
  challengeOf: (signing: Signing) => Uint8Array,
  { minutes, nonce, from = origin }: { minutes?: number; nonce?: string; from?: string } = {},
) {
  const parts = await partsOf(who)
  const expires_at =
    minutes === undefined ? parts.expires_at : new Date(Date.now() + minutes * 60_000).toISOString()
  const signing = {
    network: parts.network,
    memberId: BigInt(parts.member_id),
    expiresAt: Date.parse(expires_at),
    nonce: nonce ?? parts.nonce,
  }
  const {
    credential_id: id,
    client_data,
    authenticator_data,
    signature,
  } = by.approve(challengeOf(signing), {
    origin: from,
  })
  const response = { clientDataJSON: client_data, authenticatorData: authenticator_data, signature }
  return { credential: { id, rawId: id, type: 'public-key', response }, nonce: signing.nonce, expires_at }
}

/** A passkey of a member, as it is after it was added. */
async function passkeyOf({ id }: Withdrawer): Promise<Authenticator> {
  const key = createAuthenticator(origin)
  const { credentialId, publicKey, algorithm } = key.passkey
  await query(money.db)`INSERT INTO passkey (member_id, credential_id, public_key, algorithm, name, made_at)
    VALUES (${id}, ${credentialId}, ${publicKey}, ${algorithm}, 'Phone', now())`
  return key
}

async function submit(
  who: Withdrawer,
  kind: MemberKeyKind,
  { key, by }: { key: Authenticator | null; by: Authenticator },
  more: object = {},
) {
  const { version } = await partsOf(who)
  const keyHash = key === null ? '' : memberKeyHash(key.passkey)
  const passkey = await proofOf(who, by, (signing) => memberKeyChallenge({ ...signing, version, keyHash }))
  const credential = key === null ? {} : { credential_id: key.passkey.credentialId }
  return who.post('auth/member-key/', { kind, version, ...credential, passkey, ...more })
}
/** The signer seals what waits. */
const seal = ({ id }: Withdrawer, usable = new Date()) =>
  queryValue<boolean>(money.signer.db)`
    SELECT seal_member_key(member_id, version, ${usable}) FROM member_key WHERE member_id = ${id} AND state = 'submitted'`

/** A member with 100 and a passkey that alone moves it. */
async function withKey() {
  const who = await newMember('100')
  const key = await passkeyOf(who)
  expect(await submit(who, 'on', { key, by: key })).toAnswer(202)
  expect(await seal(who)).toBe(true)
  return { who, key }
}
const withdrawalBy = (who: Withdrawer, by: Authenticator, amount: string, differs: object = {}, how = {}) =>
  proofOf(
    who,
    by,
    (signing) =>
      memberWithdrawalChallenge({ ...signing, amount: usdt(amount), wallet: who.wallet, ...differs }),
    how,
  )
const ask = (who: Withdrawer, amount: string, passkey: object, more: object = {}) =>
  who.post('withdrawals/withdrawals/', { amount, wallet_address: who.wallet, passkey, ...more })

describe('switching it on', () => {
  it('waits for the signer, and shows from then on', async () => {
    const who = await newMember('100')
    const key = await passkeyOf(who)
    expect(await stateOf(who)).toMatchObject({ on: false, credential_id: null, waiting: null })
    expect(await submit(who, 'on', { key, by: key })).toAnswer(202)
    expect(await stateOf(who)).toMatchObject({ on: false, waiting: { kind: 'on' } })
    expect((await who.get('auth/user/')).json()).toMatchObject({ passkey_only: false })
    await seal(who)
    expect(await stateOf(who)).toMatchObject({
      on: true,
      credential_id: key.passkey.credentialId,
      waiting: null,
    })
    expect((await who.get('auth/user/')).json()).toMatchObject({ passkey_only: true })
    const [mail] = (await mailsTo(money.server, who.id)).filter(
      ({ template }) => template === 'member_key_changed',
    )
    expect(mail?.params).toMatchObject({ kind: 'passkey_only_on' })
    expect(mail?.params['notMeUrl']).toContain('/auth/not-me#')
  })

  it('says why the signer refused it', async () => {
    const who = await newMember()
    const key = await passkeyOf(who)
    await submit(who, 'on', { key, by: key })
    await query(money.signer.db)`SELECT refuse_member_key(${who.id}, 1, 'members_origin_missing')`
    expect(await stateOf(who)).toMatchObject({ on: false, waiting: null, refused: 'members_origin_missing' })
    expect(await submit(who, 'on', { key, by: key })).toAnswer(202)
  })

  it('takes a passkey of the member’s own, signed by itself, and no open withdrawal', async () => {
    const who = await newMember('100')
    const key = await passkeyOf(who)
    const stranger = await passkeyOf(await newMember())
    expect(await refusal(submit(who, 'on', { key: stranger, by: stranger }))).toBe('404 passkey_not_found')
    expect(await refusal(submit(who, 'on', { key, by: stranger }))).toBe('422 passkey_invalid')
    expect(await refusal(submit(who, 'off', { key: null, by: key }))).toBe('409 passkey_only_off')
    const { id } = await money.asked(who, '20')
    expect(await refusal(submit(who, 'on', { key, by: key }))).toBe('409 withdrawals_open')
    await money.cancel(who, BigInt(id))
    expect(await submit(who, 'on', { key, by: key })).toAnswer(202)
    expect(await refusal(submit(who, 'on', { key, by: key }))).toBe('409 passkey_only_waiting')
    const code = await money.code(who)
    const body = { amount: '20', wallet_address: who.wallet, used_code: code }
    expect(await refusal(who.post('withdrawals/withdrawals/', body))).toBe('409 passkey_only_waiting')
  })
})

describe('a member whose passkey alone moves money', () => {
  it('withdraws with what the passkey signed, without any code', async () => {
    const { who, key } = await withKey()
    expect(await ask(who, '50', await withdrawalBy(who, key, '50'))).toAnswer(201)
    const stored = await queryValue<number>(money.db)`
      SELECT count(*)::int FROM withdrawal_proof WHERE member_id = ${who.id}`
    expect([stored, (await money.balancesOf(who.id)).held]).toEqual([1, usdt('50')])
  })

  it('moves none while the e-mail is not proven, however right the signature', async () => {
    const { who, key } = await withKey()
    await query(money.db)`UPDATE member SET email_proven_at = NULL WHERE id = ${who.id}`
    const proof = await withdrawalBy(who, key, '50')
    expect(await refusal(ask(who, '50', proof))).toBe('422 email_unproven')
    await who.post('auth/user/confirm-email/')
    const secret_code = await emailCodeFor(money.server, who.id)
    expect(await who.post('auth/user/confirm-email/', { secret_code })).toAnswer(200)
    // What was refused has used nothing up.
    expect(await ask(who, '50', proof)).toAnswer(201)
  })

  it('gets no code, and none moves money or the wallet', async () => {
    const { who } = await withKey()
    const call = { amount: '50', wallet_address: who.wallet, used_code: '1234567' }
    expect(await refusal(who.post('withdrawals/withdrawals/', call))).toBe('422 passkey_required')
    expect(await refusal(who.post('withdrawals/withdrawals/create-code/'))).toBe('422 passkey_required')
    expect(await refusal(patch(who, { usdt_wallet: walletOf(240) }))).toBe('422 passkey_required')
    const withCode = { usdt_wallet: walletOf(240), secret_code: '1234567' }
    expect(await refusal(patch(who, withCode))).toBe('422 passkey_required')
    expect(await patch(who, { first_name: 'Ana' })).toAnswer(200)
    expect((await money.balancesOf(who.id)).held).toBe(0n)
  })

  it.each<[string, string, object, object]>([
    ['another amount', 'passkey_invalid', { amount: usdt('1') }, {}],
    ['another wallet', 'passkey_invalid', { wallet: walletOf(241) }, {}],
    ['another member', 'passkey_invalid', { memberId: 5n }, {}],
    ['another origin', 'passkey_invalid', {}, { from: 'https://evil.example' }],
    ['a time that is over', 'passkey_expired', {}, { minutes: -1 }],
    ['a time too far away', 'passkey_expired', {}, { minutes: 20 }],
  ])('withdraws nothing with a signature for %s: %s', async (_what, code, differs, how) => {
    const { who, key } = await withKey()
    expect(await refusal(ask(who, '50', await withdrawalBy(who, key, '50', differs, how)))).toBe(
      `422 ${code}`,
    )
    expect((await money.balancesOf(who.id)).held).toBe(0n)
  })

  it('withdraws nothing with another passkey of the member, or twice with one signature', async () => {
    const { who, key } = await withKey()
    const other = await passkeyOf(who)
    expect(await refusal(ask(who, '20', await withdrawalBy(who, other, '20')))).toBe('422 passkey_invalid')
    const signed = await withdrawalBy(who, key, '20')
    expect(await ask(who, '20', signed)).toAnswer(201)
    expect(await refusal(ask(who, '20', signed))).toBe('422 passkey_invalid')
  })

  it('changes the wallet with the passkey, and money cools as after any change of it', async () => {
    const { who, key } = await withKey()
    const wallet = walletOf(242)
    const sign = (to: string) =>
      proofOf(who, key, (signing) => memberWalletChallenge({ ...signing, wallet: to }))
    const change = (passkey: object) => who.post('auth/user/wallet/', { usdt_wallet: wallet, passkey })
    expect(await refusal(change(await sign(walletOf(243))))).toBe('422 passkey_invalid')
    const signed = await sign(wallet)
    expect(await change(signed)).toAnswer(200)
    expect((await who.get('auth/user/')).json()).toMatchObject({ usdt_wallet: wallet })
    expect(await refusal(change(signed))).toBe('422 passkey_invalid')
    const [mail] = (await mailsTo(money.server, who.id)).filter(
      ({ template }) => template === 'wallet_changed',
    )
    expect(mail?.params).toMatchObject({ wallet, previous: who.wallet })
  })

  it('cannot remove that passkey, and can remove another', async () => {
    const { who, key } = await withKey()
    const other = await passkeyOf(who)
    const remove = (id: string) => who.post('auth/passkeys/remove/', { id, current_password: TEST_PASSWORD })
    expect(await refusal(remove(key.passkey.credentialId))).toBe('409 passkey_pinned')
    expect(await remove(other.passkey.credentialId)).toAnswer(200)
  })
})

describe('a change of the key', () => {
  it('to another passkey, or to none, is signed by the one that counts', async () => {
    const { who, key } = await withKey()
    const next = await passkeyOf(who)
    expect(await refusal(submit(who, 'on', { key: next, by: next }))).toBe('409 passkey_only_on')
    expect(await refusal(submit(who, 'replaced', { key: next, by: next }))).toBe('422 passkey_invalid')
    expect(await refusal(submit(who, 'off', { key: null, by: next }))).toBe('422 passkey_invalid')
    expect(await submit(who, 'replaced', { key: next, by: key })).toAnswer(202)
    await seal(who)
    expect(await refusal(submit(who, 'off', { key: null, by: key }))).toBe('422 passkey_invalid')
    expect(await submit(who, 'off', { key: null, by: next })).toAnswer(202)
    await seal(who)
    expect(await stateOf(who)).toMatchObject({ on: false })
  })

  it('in the place of a lost one takes the password, waits for operators, and can be taken back', async () => {
    const { who, key } = await withKey()
    const next = await passkeyOf(who)
    const lost = (more: object) => submit(who, 'recovered', { key: next, by: next }, more)
    expect(await refusal(lost({}))).toBe('422 current_password_wrong')
    expect(await refusal(lost({ current_password: 'wrong' }))).toBe('422 current_password_wrong')
    expect(await lost({ current_password: TEST_PASSWORD })).toAnswer(202)
    expect(await stateOf(who)).toMatchObject({ on: true, waiting: { kind: 'recovered' } })
    expect(await refusal(ask(who, '20', await withdrawalBy(who, key, '20')))).toBe('409 passkey_only_waiting')
    expect(await who.post('auth/member-key/cancel/')).toAnswer(200)
    expect(await refusal(who.post('auth/member-key/cancel/'))).toBe('409 passkey_only_off')
    expect(await ask(who, '20', await withdrawalBy(who, key, '20'))).toAnswer(201)
  })

  it('by operators moves nothing for a while, which the terms say', async () => {
    const { who } = await withKey()
    const next = await passkeyOf(who)
    await submit(who, 'recovered', { key: next, by: next }, { current_password: TEST_PASSWORD })
    const usable = new Date(Date.now() + 72 * 3_600_000)
    await seal(who, usable)
    expect(await stateOf(who)).toMatchObject({ on: true, usable_from: usable.toISOString() })
    expect((await who.get('withdrawals/terms/')).json()).toMatchObject({ cools_until: usable.toISOString() })
    expect(await refusal(ask(who, '20', await withdrawalBy(who, next, '20')))).toBe('422 cooling')
    expect(await refusal(submit(who, 'off', { key: null, by: next }))).toBe('422 cooling')
  })
})

it('a member who never chose it withdraws with codes, and a passkey’s signature is refused', async () => {
  const who = await newMember('100')
  const key = await passkeyOf(who)
  expect(await refusal(ask(who, '20', await withdrawalBy(who, key, '20')))).toBe('409 passkey_only_off')
  expect(await who.post('withdrawals/withdrawals/', { amount: '20', wallet_address: who.wallet })).toAnswer(
    400,
  )
  expect(await money.ask(who, '20')).toAnswer(201)
  const wallet = walletOf(244)
  const passkey = await proofOf(who, key, (signing) => memberWalletChallenge({ ...signing, wallet }))
  expect(await refusal(who.post('auth/user/wallet/', { usdt_wallet: wallet, passkey }))).toBe(
    '409 passkey_only_off',
  )
})
