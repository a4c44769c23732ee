/** What the person who runs the installation decides, by the command that they type. */
import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { features } from '../features.ts'
import { clientOf, createTestServer, join, signedIn, TEST_PASSWORD } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'

const PROGRAM = fileURLToPath(new URL('operator.ts', import.meta.url))

const server = await suiteFixture(createTestServer, features)
const { db } = server.context

interface Ended {
  readonly code: number
  readonly said: string
}

/** Runs the program as its owner does, without any key. */
const operator = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { DATABASE_URL: server.database.ownerUrl }
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: (stdout + stderr).trim() })
    })
  })

const auditOf = (memberId: bigint) =>
  db
    .selectFrom('audit_event')
    .select(['actor_id', 'action', 'outcome', 'details'])
    .where('subject', '=', `member:${memberId}`)
    .where('action', '<>', 'member.join')
    .orderBy('id')
    .execute()

const entry = (action: string, details: object) => ({ actor_id: null, action, outcome: 'done', details })
const by = userInfo().username

describe('npm run operator -- --fundator', () => {
  it('makes a fundator, and --no-fundator takes it back: member, audit trail and security log say so', async () => {
    const luis = await join(server, { username: 'luis' })
    const client = await signedIn(server, luis)
    const isFundator = async () => (await client.get('auth/user/')).json().is_fundator
    expect(await isFundator()).toBe(false)
    expect(await operator('--fundator', 'Luis')).toEqual({
      code: 0,
      said: 'Luis is a fundator now, and may convert referrals to master.',
    })
    expect(await isFundator()).toBe(true)
    expect(await operator('--no-fundator', 'luis')).toEqual({
      code: 0,
      said: 'luis is no fundator any more. The masters that luis made stay masters.',
    })
    expect(await isFundator()).toBe(false)
    expect(await auditOf(luis)).toEqual([
      entry('member.fundator', { by, fundator: true }),
      entry('member.fundator', { by, fundator: false }),
    ])
    const log = (await client.get('auth/security-events/')).json().results
    expect(log).toMatchObject([
      { kind: 'fundator_off', by_operator: true },
      { kind: 'fundator_on', by_operator: true },
    ])
    const security = (await client.get('auth/security/')).json()
    expect(security).toMatchObject({ locked: false, cools_until: null })
  })

  it('changes nothing when it was so before, and says so', async () => {
    const eva = await join(server, { username: 'eva', isFundator: true })
    expect(await operator('eva', '--fundator')).toEqual({
      code: 0,
      said: 'eva is a fundator already: nothing has changed.',
    })
    expect(await auditOf(eva)).toEqual([])
  })

  it('says that there is no such member, and fails', async () => {
    expect(await operator('--fundator', 'nobody')).toEqual({ code: 1, said: 'Nobody is called nobody.' })
    expect(await operator('--no-fundator', 'nobody')).toEqual({ code: 1, said: 'Nobody is called nobody.' })
    expect(await operator('--fundator', '--no-fundator', 'luis')).toMatchObject({ code: 2 })
  })
})

describe('npm run operator -- --extra-points', () => {
  const changes = () => db.selectFrom('extra_percent').selectAll().orderBy('id').execute()

  it('sets them and takes them away; every change is kept, with who decided it', async () => {
    const ines = await join(server, { username: 'ines' })
    expect(await operator('--extra-points', 'Ines', '1.50')).toEqual({
      code: 0,
      said: "Ines gets 1.5 percentage points on top of the plan's first level, from the next commissions on.",
    })
    expect(await operator('ines', '1.5', '--extra-points')).toEqual({
      code: 0,
      said: "ines gets 1.5 percentage points on top of the plan's first level already: nothing has changed.",
    })
    expect(await operator('--extra-points', 'ines', '0')).toMatchObject({ code: 0 })
    const kept = { sponsor_id: ines, set_by: by, id: expect.any(BigInt), at: expect.any(Date) }
    expect(await changes()).toEqual([
      { ...kept, percent: '1.5' },
      { ...kept, percent: '0' },
    ])
    expect(await auditOf(ines)).toEqual([
      entry('member.extra_percent', { by, percent: '1.5' }),
      entry('member.extra_percent', { by, percent: '0' }),
    ])
    await expect(query(server.owner.db)`UPDATE extra_percent SET percent = '9'`).rejects.toThrow(
      'append-only',
    )
  })

  it('refuses what is no such number, and changes nothing', async () => {
    const before = await changes()
    for (const wrong of ['20.01', '-1', '1.234', 'much', ''])
      expect(await operator('--extra-points', 'luis', wrong), wrong).toMatchObject({ code: 2 })
    expect(await operator('--extra-points', 'luis', '21')).toEqual({
      code: 2,
      said: '21 is no number of percentage points: 0 to 20, with two decimals at most.',
    })
    expect(await operator('--extra-points', 'nobody', '1')).toEqual({
      code: 1,
      said: 'Nobody is called nobody.',
    })
    expect(await changes()).toEqual(before)
    const tooMuch = query(
      server.owner.db,
    )`INSERT INTO extra_percent (sponsor_id, percent, set_by, at) VALUES (1, '20.01', 'x', now())`
    await expect(tooMuch).rejects.toThrow('extra_percent_percent_check')
  })
})

describe('npm run operator -- --reopen', () => {
  const how = ['--how', 'Passport and face on a video call']
  async function closed(username: string) {
    const email = `${username}@example.com`
    const id = await join(server, { username, email, firstName: 'Rosa' })
    const client = await signedIn(server, id)
    expect(await client.post('privacy/closing/', { username, current_password: TEST_PASSWORD })).toAnswer(200)
    return { id, email }
  }
  const account = (id: bigint) =>
    db
      .selectFrom('member')
      .select(['username', 'email', 'first_name', 'closed_at'])
      .where('id', '=', id)
      .executeTakeFirst()

  it('gives a closed account back to its member, whose password is nobody’s and whose money cools', async () => {
    const { id, email } = await closed('rosa')
    expect(await operator('ROSA', '--reopen', ...how)).toMatchObject({ code: 0 })
    expect(await account(id)).toEqual({ username: 'rosa', email, first_name: 'Rosa', closed_at: null })
    const visitor = clientOf(server)
    for (const name of ['rosa', email])
      expect(await visitor.post('auth/token/', { email: name, password: TEST_PASSWORD })).toAnswer(401)
    expect((await auditOf(id)).at(-1)).toEqual(entry('account.reopen', { by, how: how[1] }))
    const security = (await (await signedIn(server, id)).get('auth/security/')).json()
    expect(security.cools_until).not.toBeNull()
    expect(await operator('rosa', '--reopen', ...how)).toMatchObject({ code: 1 })
  })

  it('takes another e-mail where the former one is another member’s by now', async () => {
    const { id, email } = await closed('tita')
    await join(server, { email })
    expect(await operator('tita', '--reopen', ...how)).toMatchObject({ code: 1 })
    expect(await account(id)).toMatchObject({ username: `closed-${id}` })
    expect(await operator('tita', '--reopen', ...how, '--email', 'tita2@example.com')).toMatchObject({
      code: 0,
    })
    expect(await account(id)).toMatchObject({ username: 'tita', email: 'tita2@example.com' })
  })

  it('asks how it was made sure who asks', async () => {
    expect(await operator('rosa', '--reopen')).toMatchObject({ code: 2 })
    expect(await operator('rosa', '--reopen', ...how, '--email', 'no-address')).toMatchObject({ code: 2 })
  })
})

describe('npm run operator -- --role', () => {
  const roleOf = async (username: string) =>
    (
      await db
        .selectFrom('member')
        .select('operator_role')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
    ).operator_role
  const make = async (...args: string[]) => {
    const env = { DATABASE_URL: server.database.ownerUrl, SEAL_KEY: '33'.repeat(32) }
    return new Promise<Ended>((resolve) => {
      execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), said: (stdout + stderr).trim() })
      })
    })
  }

  it('is an admin for the first one, and is to be named from then on', async () => {
    for (const username of ['olga', 'nora']) await join(server, { username })
    expect(await make('olga')).toMatchObject({ code: 0 })
    expect(await roleOf('olga')).toBe('admin')
    expect(await make('nora')).toEqual({
      code: 1,
      said: 'Say with --role which one nora is to have: support, treasurer, compliance, admin.',
    })
    expect(await roleOf('nora')).toBeNull()
    expect(await make('nora', '--role', 'support')).toMatchObject({ code: 0 })
    expect(await make('nora', '--role', 'treasurer')).toMatchObject({ code: 0 })
    expect(await roleOf('nora')).toBe('treasurer')
    expect(await make('nora', '--role', 'boss')).toMatchObject({ code: 2 })
    expect(await make('nora', '--role', 'admin', '--revoke')).toMatchObject({ code: 2 })
  })
})
