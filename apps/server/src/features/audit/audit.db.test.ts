import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { connect, type Db, inTransaction, type Tx } from '@aval/db'
import { headMessage } from '@aval/db/audit-chain'
import { selectSeals } from '@aval/db/audit-seals'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { recordAudit } from '../../core/audit.sql.ts'
import { query, queryColumn, queryOne } from '../../core/query.sql.ts'
import { createTestServer } from '../../testing/server.ts'
import { tamperWith } from '../../testing/tampering.ts'
import { insertSecurityEvent } from '../identity/security-log/security-log.sql.ts'
import { sealAudit } from './audit.sql.ts'
import { verifyAudit } from './verify.queries.ts'

const server = await createTestServer(inject('ownerUrl'))
afterAll(() => server.close())
const { db } = server.context
const NOW = new Date('2026-05-03T15:00:00.123Z')
const owner = tamperWith(server.database.ownerUrl)

const act = (on: Db, number: number, actorId = 5n) =>
  recordAudit(on, {
    at: NOW,
    actorId,
    action: 'withdrawal.decide',
    outcome: 'done',
    subject: `withdrawal:${number}`,
    details: { number, note: 'ñandú, "quoted": 7' },
  })
const happen = (on: Tx, memberId = 5n) =>
  insertSecurityEvent(on, {
    memberId,
    kind: 'wallet_changed',
    at: NOW,
    device: { userAgent: 'Firefox', ip: '192.0.2.7' },
    details: { number: 1 },
  })
/** Not at the first try where transactions of other tests are under way in the cluster. */
const sealAll = async (most = 1000) => {
  while ((await verifyAudit(db, 1n, NOW)).unsealed > 0) await sealAudit(db, most)
}
const faults = async (on: Db) => (await verifyAudit(on, 1n, NOW)).faults

// Two seals: ten entries and three events, then five and two.
for (let number = 1; number <= 10; number += 1) await act(db, number)
await inTransaction(db, async (tx) => {
  for (const member of [5n, 6n, 7n]) await happen(tx, member)
})
await sealAll()
for (let number = 11; number <= 15; number += 1) await act(db, number, 9n)
await inTransaction(db, async (tx) => {
  for (const member of [5n, 6n]) await happen(tx, member)
})
await sealAll()
const auditIds = (await queryColumn<bigint>(db)`SELECT id FROM audit_event ORDER BY id`).slice(-15)
const eventIds = (await queryColumn<bigint>(db)`SELECT id FROM security_event ORDER BY id`).slice(-5)
const [third = 0n, fourth = 0n] = auditIds.slice(2)
const [, second = 0n] = eventIds

const finds = (what: string, fault: string, statements: string) =>
  it(`names ${what}`, async () => {
    expect((await owner.after(statements, faults))[0]).toBe(fault)
  })

describe('a trail that nobody changed', () => {
  it('has no fault, and every row is in a seal', async () => {
    const report = await verifyAudit(db, 1n, NOW)
    expect(report).toMatchObject({ faults: [], unsealed: 0, erased: 0, publicKey: null })
    expect(report.rows).toBeGreaterThanOrEqual(20)
    expect(report.warnings).toEqual(['No signer ever signed: seals stand unsigned.'])
  })

  it('is verified from a seal on, the one before taken for right', async () => {
    expect(await verifyAudit(db, 2n, NOW)).toMatchObject({ faults: [], seals: 1, rows: 7 })
  })
})

describe('of a trail that somebody changed, the verification', () => {
  finds(
    'an altered entry',
    `audit_event ${third}: altered`,
    `UPDATE audit_event SET outcome = 'refused' WHERE id = ${third}`,
  )
  finds(
    'an entry at another time',
    `audit_event ${third}: altered`,
    `UPDATE audit_event SET at = at + interval '1 microsecond' WHERE id = ${third}`,
  )
  finds(
    'altered details',
    `audit_event ${third}: details altered`,
    `UPDATE audit_event SET details = '{"number": 7}' WHERE id = ${third}`,
  )
  finds(
    'altered details whose hash was altered with them',
    `audit_event ${third}: altered`,
    `UPDATE audit_event SET details = '{}', details_hash = sha256(netstrings('{}')) WHERE id = ${third}`,
  )
  finds('a deleted entry', `audit_event ${third}: missing`, `DELETE FROM audit_event WHERE id = ${third}`)
  finds(
    'a deleted event of an account',
    `security_event ${second}: missing`,
    `DELETE FROM security_event WHERE id = ${second}`,
  )
  finds(
    'an event of another member',
    `security_event ${second}: altered`,
    `UPDATE security_event SET member_id = 99 WHERE id = ${second}`,
  )
  finds(
    'an inserted entry',
    'audit_event 0: inserted',
    `INSERT INTO audit_event (id, at, action, outcome, subject, details_hash) OVERRIDING SYSTEM VALUE VALUES (0, now(), 'a', 'done', 's', sha256(netstrings('{}')))`,
  )
  finds(
    'two entries in the other order',
    `audit_event ${third}: reordered: it was sealed as ${fourth}`,
    `ALTER TABLE audit_event ALTER id DROP IDENTITY;
     UPDATE audit_event SET id = -id WHERE id IN (${third}, ${fourth});
     UPDATE audit_event SET id = CASE id WHEN -${third} THEN ${fourth} ELSE ${third} END WHERE id < 0`,
  )
  finds(
    'details erased without an entry about it',
    `audit_event ${third}: details altered`,
    `UPDATE audit_event SET details = '{}', erased_at = now() WHERE id = ${third}`,
  )
  finds(
    'a seal made anew over what is there now',
    'audit_seal 1: altered',
    `UPDATE audit_seal SET audit_hashes = audit_hashes || audit_hashes WHERE id = 1`,
  )
  finds('a seal that is gone', 'audit_seal 1: missing', 'DELETE FROM audit_seal WHERE id = 1')
  finds(
    'a forged seal whose own hash fits, by the one after it',
    'audit_seal 2: altered',
    `UPDATE audit_seal SET at = at + interval '1 second' WHERE id = 1;
     UPDATE audit_seal SET hash = sha256(netstrings(id::text, microseconds(at), audit_last::text, security_last::text, encode(root, 'hex'), encode(previous, 'hex'))) WHERE id = 1`,
  )
})

describe('details', () => {
  it('are erased for a member, by the owner of the books alone, and the chain stays whole', async () => {
    const [before] = await owner.after('SELECT erase_audit_details(9)', async (tx) => {
      const left = await query(tx)`
        SELECT FROM audit_event WHERE actor_id = 9 AND details <> '{}' AND action <> 'audit.erase'`
      expect(left).toHaveLength(0)
      return [await verifyAudit(tx, 1n, NOW)]
    })
    expect(before).toMatchObject({ faults: [], erased: 5 })
    await expect(query(db)`SELECT erase_audit_details(9)`).rejects.toMatchObject({ code: '42501' })
  })

  it('change in no other way, and rows not at all, whoever asks', async () => {
    const connection = connect(server.database.ownerUrl, 1)
    for (const statement of [
      `UPDATE audit_event SET details = '{"a": 1}'`,
      `UPDATE audit_event SET erased_at = now(), details = '{}', subject = 'x'`,
      `UPDATE security_event SET ip = ''`,
      'DELETE FROM audit_event',
      'TRUNCATE security_event',
      'DELETE FROM audit_seal',
    ])
      await expect(sql.raw(statement).execute(connection.db)).rejects.toMatchObject({ code: '42501' })
    await connection.close()
  })
})

describe('writers', () => {
  it.each(['api', 'worker', 'gateway', 'signer'])(
    'of the %s’s role record by the function alone',
    async (role) => {
      const as = (statement: string) =>
        inTransaction(server.owner.db, async (tx) => {
          await sql.raw(`SET LOCAL ROLE aval_${role}`).execute(tx)
          await sql.raw(statement).execute(tx)
        })
      await as(`SELECT record_audit(now(), NULL, 'test.${role}', 'done', 'test:1', '{}')`)
      const insert = `INSERT INTO audit_event (at, action, outcome, subject, details_hash) VALUES (now(), 'a', 'done', 's', '')`
      for (const refused of [
        insert,
        'SELECT seal_audit_batch(9, 9, 9)',
        'LOCK TABLE audit_seal IN SHARE MODE',
      ])
        await expect(as(refused)).rejects.toMatchObject({ code: '42501' })
    },
  )

  it('that commit late lose nothing: what they may still write is not sealed over', async () => {
    const late = connect(server.database.workerUrl, 1)
    const sealed = async () => (await selectSeals(db, 0n, 1000)).flatMap(({ rows }) => rows.audit_event.ids)
    const settled = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const writing = inTransaction(late.db, async (tx) => {
      await act(tx, 100)
      began.resolve()
      await settled.promise
    })
    await began.promise
    await act(db, 101)
    const early = (await queryOne<{ id: bigint }>(db)`SELECT max(id) AS id FROM audit_event`).id
    await sealAudit(db, 1000)
    await sealAudit(db, 1000)
    expect(await sealed()).not.toContain(early)
    settled.resolve()
    await writing
    await sealAll()
    expect(await sealed()).toEqual(expect.arrayContaining([early - 1n, early]))
    await late.close()
    expect(await faults(db)).toEqual([])
  })

  it('whose transactions began in another order than they wrote lose nothing either', async () => {
    const [slow, quick] = [connect(server.database.workerUrl, 1), connect(server.database.workerUrl, 1)]
    const began = Promise.withResolvers<void>()
    const drawn = Promise.withResolvers<void>()
    const settled = Promise.withResolvers<void>()
    // The quick one has the lower number, and ends: no transaction with a higher one has ended.
    const ended = inTransaction(quick.db, async (tx) => {
      await query(tx)`SELECT pg_current_xact_id()`
      began.resolve()
      await drawn.promise
      await act(tx, 201)
    })
    await began.promise
    const writing = inTransaction(slow.db, async (tx) => {
      await act(tx, 200)
      drawn.resolve()
      await settled.promise
    })
    await ended
    await sealAudit(db, 1000)
    await sealAudit(db, 1000)
    settled.resolve()
    await writing
    await sealAll()
    await Promise.all([slow.close(), quick.close()])
    expect(await faults(db)).toEqual([])
  })

  it('may be many while it is sealed', async () => {
    const connections = Array.from({ length: 6 }, () => connect(server.database.apiUrl, 1))
    const writers = connections.map(async (connection, place) => {
      for (let number = 0; number < 60; number += 1)
        await inTransaction(connection.db, async (tx) => {
          await act(tx, 1000 * (place + 1) + number)
          if (number % 3 === 0) await happen(tx, BigInt(place + 1))
          if (number % 7 === 0) throw new Error('rolled back')
        }).catch(() => undefined)
    })
    const over = Promise.all(writers).then(() => 'over' as const)
    while ((await Promise.race([over, sealAudit(db, 50)])) !== 'over');
    await sealAll(50)
    await Promise.all(connections.map((connection) => connection.close()))
    expect(await verifyAudit(db, 1n, NOW)).toMatchObject({ faults: [], unsealed: 0 })
  })
})

describe('signatures', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const hours = (number: number) => new Date(NOW.getTime() + number * 3_600_000)

  it('are verified, and one that is missing for hours is said', async () => {
    const { network } = await queryOne<{ network: string }>(db)`SELECT network FROM installation`
    const [seal] = await selectSeals(db, 1n, 1)
    if (seal === undefined) throw new Error('no second seal')
    const signer = connect(server.database.signerUrl, 1)
    const signature = sign(null, headMessage(network, seal, NOW.getTime()), privateKey)
    await query(signer.db)`SELECT register_audit_key(${key})`
    await query(signer.db)`SELECT store_audit_signature(${seal.id}, ${seal.hash}, ${NOW}, ${signature})`
    expect(await verifyAudit(db, 1n, hours(1))).toMatchObject({ faults: [], warnings: [], signedAt: NOW })
    expect((await verifyAudit(db, 1n, hours(3))).warnings[0]).toContain(
      'signed last at 2026-05-03T15:00:00.123Z',
    )
    const other = createHash('sha256').update('another').digest()
    expect(await query(signer.db)`SELECT register_audit_key(${other}) AS own`).toEqual([{ own: false }])
    await signer.close()
  })

  finds(
    'a chain that was made anew under a signature',
    'audit_seal 2: altered',
    `UPDATE audit_seal SET at = at + interval '1 second' WHERE id = 2`,
  )
  it('name a head that was signed and cut off', async () => {
    const found = await owner.after('DELETE FROM audit_seal WHERE id >= 2', faults)
    expect(found).toContain('audit_seal 2: missing, and was signed')
  })
  it('name a signature that another key made', async () => {
    const found = await owner.after(`UPDATE audit_key SET public_key = sha256('x')`, faults)
    expect(found).toEqual(['audit_seal 2: its signature is not of this seal by the signer’s key'])
  })
})
