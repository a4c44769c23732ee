import { describe, expect, it } from 'vitest'
import { codeOf, createTestServer, signedIn, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { reportNotMe } from '../not-me/not-me.commands.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { findCoolingEnd } from '../security-log/security-log.queries.ts'
import { mailsTo, startedWith, tokenOf } from '../testing/member-fixture.ts'
import { passkeyFixture } from '../testing/passkey-fixture.ts'
import { at, device, outcome, secondFactorFixture } from '../testing/second-factor-fixture.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.commands.ts'
import { listPasskeys } from './passkeys.queries.ts'

const server = await suiteFixture(createTestServer)
const { db, config } = server.context
const { begin, newAuthenticator, origin, owner, register, request, signIn } = passkeyFixture(server)
const { actorOf, eventsOf, newMember, protectedMember } = secondFactorFixture(server)

type Actor = Awaited<ReturnType<typeof actorOf>>
type Registration = Parameters<typeof addPasskey>[2]['credential']
const add = (actor: Actor, credential: Registration, name = 'Phone', now = at(0)) =>
  outcome(addPasskey(server.context, actor, { credential, name }, now))
const remove = (actor: Actor, id: string, otp: string | null = null, current = TEST_PASSWORD, now = at(0)) =>
  outcome(removePasskey(server.context, actor, { id, current, otp }, now))
const namesOf = async (memberId: bigint) =>
  (await listPasskeys(db, memberId, config)).results.map(({ name }) => name)

describe('adding a passkey', () => {
  it.each([
    ['ES256', -7],
    ['EdDSA', -8],
    ['RS256', -257],
  ] as const)('takes %s, stores the key as SPKI, and signs in', async (_name, algorithm) => {
    const { memberId, authenticator, id } = await owner(algorithm)
    const rows = db.selectFrom('passkey').select(['public_key', 'algorithm', 'counter', 'transports'])
    expect(await rows.where('credential_id', '=', id).execute()).toEqual([
      { public_key: authenticator.passkey.publicKey, algorithm, counter: 0n, transports: ['internal'] },
    ])
    expect(await signIn(authenticator, { memberId })).toBe('done')
  })

  it('asks the device for a key of its own that knows its owner, and for none that the member has', async () => {
    const { actor, id, username, memberId } = await owner()
    expect(await begin(actor)).toMatchObject({
      rp: { id: 'localhost', name: 'Aval' },
      user: { id: Buffer.from(String(memberId)).toString('base64url'), name: username },
      pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id, type: 'public-key', transports: ['internal'] }],
    })
  })

  it('asks, as signing in does, with 256 bits of chance, never the same', async () => {
    const { actor } = await owner()
    const asked = await Promise.all([begin(actor), request(), request(), request()])
    const challenges = asked.map(({ challenge }) => Buffer.from(challenge, 'base64url'))
    for (const challenge of challenges) expect(challenge.length).toBe(32)
    expect(new Set(challenges.map((challenge) => challenge.toString('hex'))).size).toBe(4)
  })

  it('takes the password, and a code where two-factor is on', async () => {
    const { memberId, secret } = await protectedMember()
    const actor = await actorOf(memberId)
    const attempt = (current: string, otp: string | null) =>
      outcome(beginPasskey(server.context, actor, { current, otp }, at(0)))
    expect(await attempt('not-it-at-all', codeOf(secret, at(0)))).toBe('current_password_wrong')
    expect(await attempt(TEST_PASSWORD, null)).toBe('otp_required')
    expect(await attempt(TEST_PASSWORD, '000000')).toBe('otp_invalid')
    expect(await attempt(TEST_PASSWORD, codeOf(secret, at(0)))).toBe('done')
    const audit = db.selectFrom('audit_event').select(['action', 'outcome'])
    const entries = await audit.where('subject', '=', `member:${memberId}`).orderBy('id').execute()
    // Behind the entry of joining.
    expect(entries[1]).toEqual({ action: 'passkey.add', outcome: 'refused' })
  })

  it('cools money, is in the log and in an e-mail that has no text of whoever added it', async () => {
    const { memberId } = await owner()
    expect(await eventsOf(memberId)).toEqual(['passkey_added'])
    expect(await findCoolingEnd(db, memberId, config, at(1))).toEqual(at(24 * 3600))
    const mails = await mailsTo(server, memberId)
    expect(mails).toMatchObject([
      { template: 'passkey_changed', params: { added: true, notMeUrl: expect.any(String) } },
    ])
    expect(JSON.stringify(mails)).not.toContain('Phone')
  })

  it('calls it after the device where it was given no name', async () => {
    const member = await newMember()
    const actor = { ...(await actorOf(member.memberId)), device: { ...device, userAgent: 'X Firefox/140.0' } }
    expect(await add(actor, register(newAuthenticator(), await begin(actor)), '')).toBe('done')
    expect(await namesOf(member.memberId)).toEqual(['Firefox'])
  })

  it('is over after five minutes, and after one answer', async () => {
    const actor = await actorOf((await newMember()).memberId)
    const late = register(newAuthenticator(), await begin(actor, at(0)))
    expect(await add(actor, late, 'Phone', at(300))).toBe('passkey_not_made')
    const options = await begin(actor)
    expect(await add(actor, register(newAuthenticator(), options))).toBe('done')
    expect(await add(actor, register(newAuthenticator(), options))).toBe('passkey_not_made')
  })

  it('is its member’s alone, and stays undone where the session ended meanwhile', async () => {
    const [ana, bea] = [
      await actorOf((await newMember()).memberId),
      await actorOf((await newMember()).memberId),
    ]
    expect(await add(bea, register(newAuthenticator(), await begin(ana)))).toBe('passkey_not_made')
    const options = await begin(ana)
    await db
      .updateTable('session')
      .set({ ended_at: at(0) })
      .where('id', '=', ana.sessionId)
      .execute()
    expect(await add(ana, register(newAuthenticator(), options))).toBe('not_signed_in')
    expect(await namesOf(ana.memberId)).toEqual([])
  })

  it.each([
    ['made for another origin', { origin: 'https://aval.example.evil' }],
    ['made for another relying party', { rpId: 'aval.example.evil' }],
    ['inside another site’s page', { crossOrigin: true }],
    ['that signed in instead', { type: 'webauthn.get' }],
    ['to a challenge that is none of ours', { challenge: Buffer.alloc(32) }],
    ['whose device did not recognise its owner', { flags: 1 | 64 }],
    ['whose device asked nobody', { flags: 4 | 64 }],
    ['without a key', { flags: 1 | 4, extra: new Uint8Array() }],
    [
      'of an algorithm that was not asked for',
      {
        cose: new Map<number, number>([
          [1, 2],
          [3, -35],
          [-1, 2],
        ]),
      },
    ],
    [
      'with a key that is none',
      {
        cose: new Map<number, number>([
          [1, 2],
          [3, -7],
          [-1, 1],
        ]),
      },
    ],
    ['vouched for in an unknown way', { format: 'android-safetynet' }],
    [
      'whose certificate we would have to ask its maker about',
      { format: 'packed', statement: new Map([['x5c', Buffer.from('certificate')]]) },
    ],
    [
      'with a weak key',
      {
        cose: new Map<number, number | Buffer>([
          [1, 3],
          [3, -257],
          [-1, Buffer.alloc(64, 255)],
          [-2, Buffer.of(1, 0, 1)],
        ]),
      },
    ],
  ])('refuses one %s', async (_what, changes) => {
    const actor = await actorOf((await newMember()).memberId)
    const { challenge } = await begin(actor)
    const made = newAuthenticator().register(Buffer.from(challenge, 'base64url'), changes)
    expect(await add(actor, made)).toBe('passkey_not_made')
    expect(await namesOf(actor.memberId)).toEqual([])
    expect(await eventsOf(actor.memberId)).toEqual([])
  })

  it('refuses one whose name for itself is another than the one it signed', async () => {
    const { actor, id } = await owner()
    const made = { ...register(newAuthenticator(), await begin(actor)), id, rawId: id }
    expect(await add(actor, made)).toBe('passkey_not_made')
  })

  it('refuses one that is, or was, somebody’s', async () => {
    const { actor, authenticator, id } = await owner()
    const other = await actorOf((await newMember()).memberId)
    expect(await add(other, register(authenticator, await begin(other)))).toBe('passkey_known')
    expect(await remove(actor, id)).toBe('done')
    expect(await add(other, register(authenticator, await begin(other)))).toBe('passkey_known')
  })

  it('gives a member ten, however many answers come at once', async () => {
    const actor = await actorOf((await newMember()).memberId)
    const made: Registration[] = []
    for (let each = 0; each < 12; each += 1) made.push(register(newAuthenticator(), await begin(actor)))
    const outcomes = await Promise.all(made.map((credential) => add(actor, credential)))
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(10)
    expect(outcomes.filter((each) => each === 'too_many_passkeys')).toHaveLength(2)
    expect(await outcome(begin(actor))).toBe('too_many_passkeys')
  })

  it('is refused where people reach the product at a number', async () => {
    const elsewhere = await startedWith(server, { publicUrl: 'http://127.0.0.1:3000' })
    const { memberId } = await newMember()
    const client = await signedIn(elsewhere, memberId)
    const body = { current_password: TEST_PASSWORD }
    expect(await client.post('auth/passkeys/begin/', body)).toAnswer(
      422,
      'Passkeys cannot be used here: the address of this page is a number, not a name.',
    )
    expect((await client.get('auth/passkeys/')).json()).toMatchObject({ available: false })
    await elsewhere.close()
  })
})

describe('a member’s passkeys', () => {
  it('are listed with name and times, added, renamed and removed by the calls of the page', async () => {
    const { memberId } = await newMember()
    const client = await signedIn(server, memberId)
    const authenticator = newAuthenticator()
    const options = await client.post('auth/passkeys/begin/', { current_password: TEST_PASSWORD })
    expect(options).toAnswer(200)
    const credential = register(authenticator, options.json())
    const made = await client.post('auth/passkeys/', { credential, name: ' My phone ' })
    expect(made).toAnswer(200)
    const { id } = made.json()
    expect(await client.post('auth/passkeys/rename/', { id, name: 'My other phone' })).toAnswer(200)
    expect((await client.get('auth/passkeys/')).json()).toEqual({
      results: [{ id, name: 'My other phone', made_at: expect.any(String), used_at: null }],
      most: 10,
      origin,
      available: true,
    })
    const removal = { id, current_password: TEST_PASSWORD }
    expect(await client.post('auth/passkeys/remove/', removal)).toAnswer(200)
    expect((await client.get('auth/passkeys/')).json()).toMatchObject({ results: [] })
    expect(await client.post('auth/passkeys/remove/', removal)).toAnswer(404)
  })

  it.each(['', '   ', 'x'.repeat(61), 'a\u0007b'])('are not called %j', async (name) => {
    const { memberId, id } = await owner()
    const client = await signedIn(server, memberId)
    expect(await client.post('auth/passkeys/rename/', { id, name })).toAnswer(400)
    expect(await namesOf(memberId)).toEqual(['Phone'])
  })

  it('are nobody else’s to rename or remove', async () => {
    const [ana, bea] = [await owner(), await owner()]
    expect(await outcome(renamePasskey(server.context, bea.memberId, { id: ana.id, name: 'Mine' }))).toBe(
      'passkey_not_found',
    )
    expect(await remove(bea.actor, ana.id)).toBe('passkey_not_found')
    expect(await namesOf(ana.memberId)).toEqual(['Phone'])
  })
})

describe('removing a passkey', () => {
  it('takes the password, and a code where two-factor is on', async () => {
    const { memberId, secret } = await protectedMember()
    const actor = await actorOf(memberId)
    const authenticator = newAuthenticator()
    const id = authenticator.passkey.credentialId
    expect(await add(actor, register(authenticator, await begin(actor, at(0), codeOf(secret, at(0)))))).toBe(
      'done',
    )
    expect(await remove(actor, id, codeOf(secret, at(30)), 'not-it-at-all', at(30))).toBe(
      'current_password_wrong',
    )
    expect(await remove(actor, id, null, TEST_PASSWORD, at(30))).toBe('otp_required')
    expect(await remove(actor, id, codeOf(secret, at(30)), TEST_PASSWORD, at(30))).toBe('done')
  })

  it('ends its sign-ins and the other sessions, cools money, and says so', async () => {
    const { memberId, actor, authenticator, id } = await owner()
    expect(await signIn(authenticator)).toBe('done')
    expect(await remove(actor, id, null, TEST_PASSWORD, at(60))).toBe('done')
    expect(await signIn(authenticator, {}, at(61))).toBe('passkey_wrong')
    const live = db.selectFrom('session').select('id').where('member_id', '=', memberId)
    expect(await live.where('ended_at', 'is', null).execute()).toEqual([{ id: actor.sessionId }])
    expect(await findCoolingEnd(db, memberId, config, at(61))).toEqual(at(60 + 24 * 3600))
    expect((await mailsTo(server, memberId)).at(-1)).toMatchObject({
      template: 'passkey_changed',
      params: { added: false },
    })
  })
})

describe('"this wasn’t me"', () => {
  const press = (memberId: bigint, event: string, writtenAt: Date) =>
    reportNotMe(server.context, [], tokenOf(notMeUrl(config, memberId, event, writtenAt)), device, writtenAt)

  it('to the mail about a passkey removes it: a reset of the password would not', async () => {
    const { memberId, authenticator } = await owner()
    const [mail] = await mailsTo(server, memberId)
    await reportNotMe(server.context, [], tokenOf(mail?.params['notMeUrl']), device, at(60))
    expect(await namesOf(memberId)).toEqual([])
    expect(await signIn(authenticator, {}, at(61))).toBe('passkey_wrong')
    expect(await eventsOf(memberId)).toContain('passkey_removed')
  })

  it('to any other mail removes those of the week before it, and leaves the older ones', async () => {
    const week = 7 * 24 * 3600
    const fresh = await owner(-7, at(0))
    await press(fresh.memberId, 'withdrawal_requested:7', at(week))
    expect(await namesOf(fresh.memberId)).toEqual([])
    const old = await owner(-7, at(0))
    await press(old.memberId, 'withdrawal_requested:7', at(week + 1))
    expect(await namesOf(old.memberId)).toEqual(['Phone'])
  })
})
