import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import { countOf, query } from '../../../core/query.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { createTestServer, join } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { selectMember } from '../members/members.sql.ts'
import { wrongFor } from '../testing/member-fixture.ts'
import { outcome } from '../testing/second-factor-fixture.ts'
import { createEmailCode, revokeEmailCodes, type Spending, spendEmailCode } from './email-codes.commands.ts'
import type { CodePurpose } from './email-codes.sql.ts'

const start = new Date('2026-03-01T12:00:00Z')
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

const server = await suiteFixture(createTestServer, [])
const { db } = server.context

const place = async (purpose: CodePurpose = 'withdrawal') => {
  const memberId = await join(server)
  const { email: to } = await selectMember(db, memberId)
  return { memberId, purpose, to }
}
type Place = Awaited<ReturnType<typeof place>>

const make = (where: Place, binding = '', now = start) =>
  inTransaction(db, (tx) => createEmailCode(server.context, tx, { ...where, binding, now }))

/** A code of a new member. */
async function made(binding = '') {
  const where = await place()
  return { where, code: await make(where, binding) }
}

/** `done`, or the refusal's name. */
function spend(
  where: Place,
  code: string,
  others: Partial<Spending> = {},
  afterwards: () => void = () => undefined,
  context = server.context,
) {
  const spending = { ...where, code, bindings: [''], field: 'used_code', now: after(1), ...others }
  return outcome(
    commitOnRefusal(db, async (tx) => {
      await spendEmailCode(context, tx, spending)
      afterwards()
    }),
  )
}

const refusals = (memberId: bigint) =>
  countOf(db)`audit_event WHERE actor_id = ${memberId} AND outcome = 'refused'`

describe('a secret code', () => {
  it('works once', async () => {
    const { where, code } = await made()
    expect(code).toMatch(/^\d{7}$/)
    expect(await spend(where, code)).toBe('done')
    expect(await spend(where, code)).toBe('code_expired')
  })

  it('works once, too, for a hundred at a time', async () => {
    const { where, code } = await made()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => spend(where, code)))
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'code_expired']))
  })

  it('ends after five wrong tries, though a hundred come at a time', async () => {
    const { where, code } = await made()
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => spend(where, wrongFor(code, index))),
    )
    // The fourth wrong one leaves a try; the fifth leaves none, and is refused as every later one.
    expect(outcomes.filter((each) => each === 'code_wrong')).toHaveLength(4)
    expect(outcomes.filter((each) => each === 'code_expired')).toHaveLength(96)
    expect(await spend(where, code)).toBe('code_expired')
    expect(await refusals(where.memberId)).toBe(101)
  })

  it('still works after four wrong tries', async () => {
    const { where, code } = await made()
    for (let index = 0; index < 4; index += 1)
      expect(await spend(where, wrongFor(code, index))).toBe('code_wrong')
    expect(await spend(where, code)).toBe('done')
  })

  it('is not used up by what is refused afterwards', async () => {
    const { where, code } = await made()
    const broke = () => {
      throw new Refusal('balance_too_small')
    }
    expect(await spend(where, code, {}, broke)).toBe('balance_too_small')
    expect(await spend(where, code)).toBe('done')
  })

  it('expires after ten minutes', async () => {
    const where = await place()
    expect(await spend(where, await make(where), { now: after(9.99) })).toBe('done')
    expect(await spend(where, await make(where), { now: after(10) })).toBe('code_expired')
  })

  it('ends when the next one is made, and tries begin anew', async () => {
    const { where, code: first } = await made()
    for (let index = 0; index < 4; index += 1) await spend(where, wrongFor(first, index))
    const second = await make(where)
    expect(await spend(where, first)).toBe(first === second ? 'done' : 'code_wrong')
    expect(await spend(where, second)).toBe('done')
  })

  it('ends when all are revoked', async () => {
    const { where, code } = await made()
    await inTransaction(db, (tx) => revokeEmailCodes(tx, where.memberId, start))
    expect(await spend(where, code)).toBe('code_expired')
  })

  it('is good for what it was made for alone', async () => {
    const { where, code } = await made('50000000 TW')
    expect(await spend(where, code, { bindings: ['', '60000000 TW'] })).toBe('code_for_other')
    expect(await spend(where, code, { bindings: ['', '50000000 TX'] })).toBe('code_for_other')
    expect(await spend(where, code, { bindings: ['', '50000000 TW'] })).toBe('done')
  })

  it('is its member’s alone, and for no other purpose', async () => {
    const [mine, yours] = [await place(), await place()]
    const code = await make(mine)
    await make(yours)
    expect(await spend(yours, code)).toBe('code_wrong')
    expect(await spend({ ...mine, purpose: 'profile' }, code)).toBe('code_expired')
    expect(await spend(mine, code)).toBe('done')
  })

  it.each(['', 'abc', '12345678', "1' OR 1=1", '\u0000'])('is not %j', async (code) => {
    const { where } = await made()
    expect(await spend(where, code)).toBe('code_wrong')
  })

  it('is stored by a keyed hash: a copy of the row in another database is worth nothing', async () => {
    const { where, code } = await made()
    const config = { ...server.context.config, jwtKey: new Uint8Array(32).fill(9) }
    expect(await spend(where, code, {}, undefined, { ...server.context, config })).toBe('code_wrong')
    const stored = db.selectFrom('email_code').select('hash').where('member_id', '=', where.memberId)
    expect((await stored.executeTakeFirstOrThrow()).hash).not.toContain(code)
  })

  it('is drawn evenly', async () => {
    const where = await place()
    const digits = new Map<string, number>()
    for (let draw = 0; draw < 300; draw += 1)
      for (const digit of await make(where)) digits.set(digit, (digits.get(digit) ?? 0) + 1)
    // 210 of each are to be expected; five deviations (69) lie between this and a fault.
    for (let digit = 0; digit < 10; digit += 1) {
      expect(digits.get(String(digit)) ?? 0).toBeGreaterThan(141)
      expect(digits.get(String(digit)) ?? 0).toBeLessThan(279)
    }
  })
})

describe('the logs', () => {
  it.each(['audit_event', 'security_event'])(
    '%s is never rewritten, not even by its owner',
    async (table) => {
      const { memberId } = await place()
      await query(db)`SELECT record_audit(now(), NULL, 'a', 'done', 's', '{}')`
      await query(db)`SELECT record_security_event(${memberId}, 'not_me', now(), '', '', '{}')`
      const name = sql.table(table)
      const rewrites = [sql`UPDATE ${name} SET at = now()`, sql`DELETE FROM ${name}`, sql`TRUNCATE ${name}`]
      for (const rewrite of rewrites) {
        await expect(rewrite.execute(db)).rejects.toThrow('permission denied')
        await expect(rewrite.execute(server.owner.db)).rejects.toThrow('append-only')
      }
    },
  )

  it('usernames and ref codes are never released, only e-mails', async () => {
    const { memberId } = await place()
    const release = (kind: string) =>
      query(db)`DELETE FROM member_identifier WHERE kind = ${kind} AND member_id = ${memberId}`
    await expect(release('username')).rejects.toThrow('refused')
    await expect(release('ref_code')).rejects.toThrow('refused')
    await release('email')
  })
})
