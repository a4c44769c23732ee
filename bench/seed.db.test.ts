import { connect } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { countTeam } from '../apps/server/src/features/genealogy/downline.queries.ts'
import { isPassword } from '../apps/server/src/features/identity/members/password-hash.ts'
import { skeletonOf } from '../apps/server/src/features/identity/names/skeleton.rules.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { seedNetwork } from './seed.ts'

it('a seeded installation has a clean ledger, numbered trees and sign-ins, and is seeded once', async () => {
  const database = await createTestDatabase(inject('ownerUrl'))
  const server = connect(database.serverUrl, 2)
  try {
    const options = {
      ownerUrl: database.ownerUrl,
      config: testConfig(database.serverUrl, { demo: true }),
      members: 400,
      seed: 1,
      password: 'seeded-password',
      now: new Date(),
      tell: () => undefined,
    }
    const signIns = await seedNetwork(options)
    expect(signIns.map(({ username }) => username)).toEqual([
      'aval',
      'm400',
      'olga',
      'omar',
      'teresa',
      'clara',
      'pablo',
    ])
    const { faults, counts } = await checkLedger(server.db)
    expect(faults).toEqual([])
    expect(counts['members']).toBe(405)
    const { direct, indirect } = await countTeam(server.db, 1n)
    expect(direct + indirect).toBe(404)
    const generation = await server.db.selectFrom('downline_generation').selectAll().executeTakeFirstOrThrow()
    expect(generation).toMatchObject({ generation: 1, members: 405 })
    const member = await server.db
      .selectFrom('member')
      .select('password_hash')
      .where('username', '=', 'm17')
      .executeTakeFirstOrThrow()
    expect(await isPassword(member.password_hash, 'seeded-password')).toBe(true)
    const { rows: names } = await sql<{ username: string; value: string | null }>`
      SELECT m.username, i.value FROM member m LEFT JOIN member_identifier i ON i.member_id = m.id AND i.kind = 'skeleton'`.execute(
      server.db,
    )
    for (const { username, value } of names)
      expect([username, value]).toEqual([username, skeletonOf(username)])
    await expect(seedNetwork(options)).rejects.toThrow('holds members already')
  } finally {
    await server.close()
    await database.drop()
  }
})
