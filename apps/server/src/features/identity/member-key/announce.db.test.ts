/** What members and operators are told by mail once it is decided about a key. The worker writes it, in its own role. */
import { randomBytes } from 'node:crypto'
import { connect } from '@aval/db'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import { join } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { readNotMe } from '../security-log/not-me-link.ts'
import { mailsTo, tokenOf } from '../testing/member-fixture.ts'
import { announceMemberKeys } from './announce.commands.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z', [])
const { server } = money
const { worker } = server
const signer = connect(server.database.signerUrl, 1)
afterAll(() => signer.close())

const HOUR = 3_600_000
const announce = (now = new Date()) => announceMemberKeys(worker, now)

type Kind = 'on' | 'replaced' | 'off' | 'recovered'

/** As the API hands it in. */
async function submit(member: bigint, kind: Kind = 'on', version = 1) {
  const key = kind === 'off' ? null : 'own'
  await query(server.context.db)`
    SELECT submit_member_key(${member}, ${version}, ${kind}, ${key}, ${key && -7}::integer, ${key && 'MFkw'},
      ${key === null ? '' : 'a'.repeat(64)}, '{}', clock_timestamp() + interval '9 minutes', ${randomBytes(32).toString('hex')})`
}
const seal = (member: bigint, version = 1, usable = new Date(Date.now() - 1_000)) =>
  query(signer.db)`SELECT seal_member_key(${member}, ${version}, ${usable})`
const refuse = (member: bigint, code: string, version = 1) =>
  query(signer.db)`SELECT refuse_member_key(${member}, ${version}, ${code})`
/** Operators take back what asked them. */
const refuseByOperators = (member: bigint) =>
  query(server.owner.db)`
    UPDATE decision SET state = 'withdrawn', ended_at = now() WHERE subject = ${`member_key:${member}`} AND state = 'open'`

async function withKey(): Promise<bigint> {
  const member = await join(server)
  await submit(member)
  await seal(member)
  return member
}
const told = async (member: bigint) =>
  (await mailsTo(server, member)).filter(({ template }) => template === 'member_key_decided')
const outcomes = async (member: bigint) => (await told(member)).map(({ params }) => params['outcome'])

describe('a member is told, once', () => {
  it('that the key is in force', async () => {
    const member = await withKey()
    await announce()
    await announce()
    const [mail, ...others] = await told(member)
    expect(mail?.params).toMatchObject({ outcome: 'in_force' })
    expect(others).toEqual([])
  })

  it('that another one is, or none', async () => {
    const member = await withKey()
    await submit(member, 'replaced', 2)
    await seal(member, 2)
    await submit(member, 'off', 3)
    await seal(member, 3)
    await announce()
    expect(await outcomes(member)).toEqual(['in_force', 'replaced', 'off'])
  })

  it('that the one in the place of a lost key has begun to wait, and until when', async () => {
    const member = await withKey()
    await submit(member, 'recovered', 2)
    const usable = new Date(Date.now() + 72 * HOUR)
    await seal(member, 2, usable)
    await announce()
    const mail = (await told(member)).at(-1)
    expect(mail?.params).toMatchObject({ outcome: 'waits', usableFrom: usable.toISOString() })
  })

  it('that it is in force at once, where the key file has it wait no hour', async () => {
    const member = await withKey()
    await submit(member, 'recovered', 2)
    await seal(member, 2)
    await announce()
    expect(await outcomes(member)).toEqual(['in_force', 'replaced'])
  })

  it('that the signer refused it', async () => {
    const member = await join(server)
    await submit(member)
    await refuse(member, 'members_origin_missing')
    await announce()
    expect(await outcomes(member)).toEqual(['refused'])
  })

  it('that operators did not approve it', async () => {
    const member = await withKey()
    await submit(member, 'recovered', 2)
    await refuseByOperators(member)
    await announce()
    expect(await outcomes(member)).toEqual(['in_force', 'not_approved'])
  })

  it('each time with a link to say that it was somebody else', async () => {
    const member = await withKey()
    const now = new Date()
    await announce(now)
    const [mail] = await told(member)
    const link = readNotMe(worker.config, tokenOf(mail?.params['notMeUrl']), now)
    expect(link).toMatchObject({ memberId: member, event: 'member_key:1:decided' })
  })

  it('nothing of what waits, nor of what the member took back', async () => {
    const member = await withKey()
    await announce()
    await submit(member, 'recovered', 2)
    await announce()
    await query(server.context.db)`SELECT cancel_member_key(${member})`
    await announce()
    expect(await outcomes(member)).toEqual(['in_force'])
  })

  it('nothing of what was decided more than thirty days ago: mails of before are not kept for ever', async () => {
    const member = await withKey()
    await announce(new Date(Date.now() + 31 * 24 * HOUR))
    expect(await outcomes(member)).toEqual([])
  })
})

describe('operators are told', () => {
  const alertsTo = async (operator: bigint) =>
    (await mailsTo(server, operator))
      .filter(({ template }) => template === 'operator_alert')
      .map(({ params }) => params['text'])

  it('once that the signer refused a member’s key: whose, and by which name', async () => {
    const operator = await join(server, { isOperator: true })
    const member = await join(server, { username: 'refusedkey' })
    await submit(member)
    await refuse(member, 'signature_invalid')
    await announce()
    await announce()
    expect(await alertsTo(operator)).toEqual([
      expect.stringMatching(new RegExp(`refusedkey.*${member}.*signature_invalid`, 's')),
    ])
  })

  it('nothing of keys that came into force, or that they did not approve themselves', async () => {
    const operator = await join(server, { isOperator: true })
    const member = await withKey()
    await submit(member, 'recovered', 2)
    await refuseByOperators(member)
    await announce()
    expect(await alertsTo(operator)).toEqual([])
  })
})

describe('the worker', () => {
  it('sees that it was decided, and nothing that was signed', async () => {
    const member = await withKey()
    const columns = 'member_id, version, kind, state, refusal, decided_at, usable_from'
    const sees = (names: string) =>
      query(worker.db)`SELECT ${sql.raw(names)} FROM member_key WHERE member_id = ${member}`
    expect(await sees(columns)).toHaveLength(1)
    for (const name of ['proof', 'nonce', 'public_key', 'key_hash', 'credential_id'])
      await expect(sees(name)).rejects.toMatchObject({ code: '42501' })
  })

  it('seals and refuses none', async () => {
    const member = await join(server)
    await submit(member)
    await expect(queryValue(worker.db)`SELECT seal_member_key(${member}, 1, now())`).rejects.toMatchObject({
      code: '42501',
    })
    const refusing = queryValue(worker.db)`SELECT refuse_member_key(${member}, 1, 'x')`
    await expect(refusing).rejects.toMatchObject({ code: '42501' })
  })
})
