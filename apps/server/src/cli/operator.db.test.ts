/** What the person who runs the installation decides, by the command that they type. */
import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { features } from '../features.ts'
import { createTestServer, join, signedIn } from '../testing/server.ts'
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
