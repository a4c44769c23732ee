import { connect, inTransaction } from '@aval/db'
import { keepLedger, type Upkeep } from '@aval/db/upkeep'
import type { Day } from '@aval/plan'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { readerOf } from '../core/messages.ts'
import { countOf, queryColumn, queryValue } from '../core/query.sql.ts'
import { selectRecent } from '../features/dashboard/dashboard.sql.ts'
import { monthsOf } from '../features/earnings/months.queries.ts'
import { paymentsOf } from '../features/earnings/payments.queries.ts'
import { statementLines } from '../features/earnings/statement.queries.ts'
import { jsonOf } from '../features/identity/privacy/own-data.queries.ts'
import { findDifferences } from '../features/integrity/integrity.queries.ts'
import { replayRun, runIds } from '../features/payout-runs/replay/replay.queries.ts'
import { createHistoryFixture, overruleHeld } from '../testing/history-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { tamperWith } from '../testing/tampering.ts'
import { checkLedger, inspectLedger, type Reading } from './check.ts'

const history = await suiteFixture(createHistoryFixture)
const { db, people } = history
const owner = new pg.Client({ connectionString: history.server.database.ownerUrl })
await owner.connect()
afterAll(() => owner.end())
const tampering = tamperWith(history.server.database.ownerUrl)

const NOW = new Date('2026-06-01T00:00:00Z')
const NEVER = 10_000
const TURNING: Upkeep = { aMember: 0, atLeast: 1, sealDays: NEVER, keepDays: NEVER }
const SEALING: Upkeep = { ...TURNING, aMember: NEVER, sealDays: 0 }

/** Turns the part over, and has one journal follow in the next. */
async function turn(): Promise<void> {
  await keepLedger(owner, NOW, TURNING)
  history.nextDay()
  await history.receive(people.bob, '3')
}
async function seal(): Promise<string[]> {
  await turn()
  return keepLedger(owner, NOW, SEALING)
}
const archive = () => keepLedger(owner, NOW, { ...SEALING, keepDays: 0 })

const everything = {
  kind: undefined,
  from: new Date('2020-01-01'),
  until: new Date('2030-01-01'),
  person: '',
}
const ALWAYS = { from: '2020-01-01' as Day, to: '2030-01-01' as Day, timeZone: 'America/Bogota' }

/** What members read of all that ever happened, but for the deposit that `seal` makes. */
async function pagesOf(memberId: bigint) {
  const now = new Date('2026-12-01T00:00:00Z')
  return {
    statement: await Array.fromAsync(statementLines(db, memberId, ALWAYS, readerOf('en', null))),
    months: await monthsOf(db, memberId, 2026, now),
    payments: await paymentsOf(db, memberId, everything, 200, 0),
    latest: await selectRecent(db, memberId, 200),
    download: (await Array.fromAsync(jsonOf(db, memberId, now))).join(''),
  }
}

const members = Object.values(people).filter((id) => id !== people.bob)
const whole = async () => (await checkLedger(db, { whole: true, readers: 2 })).faults
const replays = async () => {
  const found: unknown[] = []
  for (const id of await runIds(db, 0n, 1000)) found.push((await replayRun(db, id))?.differences)
  return found.flat()
}

describe('a part of the ledger', () => {
  it('leaves every page as it was when it is sealed and when it is archived, both readings clean, and every run as it is recomputed', async () => {
    const accounts = async () =>
      (await checkLedger(db)).accounts.filter(
        ({ account }) => account !== 'custody:deposits' && account !== 'balance',
      )
    const before = await Promise.all(members.map(pagesOf))
    const [books, count] = [await accounts(), await countOf(db)`posting`]
    const expectSame = async () => {
      expect(await Promise.all(members.map(pagesOf))).toEqual(before)
      const { faults, counts } = await checkLedger(db)
      expect([faults, await whole()]).toEqual([[], []])
      expect(counts['postings']).toBe(count + 1)
      expect(await accounts()).toEqual(books)
      expect(await replays()).toEqual([])
      expect(await inTransaction(db, findDifferences)).toEqual([])
    }
    expect(await seal()).toEqual(['The ledger’s part 0 is sealed.'])
    expect(await countOf(db)`posting`).toBe(count + 1)
    await expectSame()
    expect(await archive()).toEqual(['The ledger’s part 0 is in the archive.'])
    expect(await countOf(db)`posting`).toBe(1)
    await expectSame()
  })

  it('is paid on, reversed into, and followed by the next seal', async () => {
    await history.invest(people.ana, '700')
    await history.payDay()
    // What is taken back here was paid by the sealed part.
    await history.reverseLatest(people.cora)
    await history.payDay()
    expect([await history.faults(), await whole()]).toEqual([[], []])
    expect(await seal()).toEqual(['The ledger’s part 1 is sealed.'])
    await history.payDay()
    expect([await history.faults(), await whole()]).toEqual([[], []])
    expect(await replays()).toEqual([])
  })

  it('takes no more journals once it is sealed, and cannot be changed in the archive', async () => {
    const writer = connect(history.server.database.ownerUrl, 1)
    const posted = (journal: bigint) =>
      writer.db
        .insertInto('posting')
        .values({
          member_id: 1n,
          journal_id: journal,
          leg: 99,
          kind: 'reinvest',
          source: 'balance',
          destination: 'principal',
          amount: 1n,
          at: new Date(),
        })
        .execute()
    await expect(posted(131_077n)).rejects.toThrow(/violates check constraint "part_is_sealed"/)
    await expect(posted(5n)).rejects.toThrow(/no partition of relation "posting"/)
    await writer.close()
    await expect(owner.query('DELETE FROM archived_payout')).rejects.toMatchObject({ code: '42501' })
    await expect(owner.query('UPDATE ledger_seal SET hash = hash')).rejects.toMatchObject({ code: '42501' })
  })

  it('stays as it is where the archive would differ from it', async () => {
    await turn()
    await owner.query(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER lose BEFORE INSERT ON archived_posting FOR EACH ROW EXECUTE FUNCTION lose()`)
    await expect(owner.query("SELECT seal_ledger_part('0', now())")).rejects.toMatchObject({
      constraint: 'archive_is_whole',
    })
    await owner.query('DROP FUNCTION lose() CASCADE')
    expect(await queryValue<bigint>(db)`SELECT max(part) FROM ledger_seal`).toBe(1n)
    expect(await history.faults()).toEqual([])
  })
})

describe('of what is sealed', () => {
  /** What each reading finds: from the seals, and of all. */
  const finds = (what: string, fromSeals: RegExp, fromAll: RegExp, statements: string) =>
    it(`the check finds ${what}`, async () => {
      const found = async (all: boolean) =>
        (await tampering.after(statements, (tx) => inspectLedger(tx, { whole: all }))).faults.join('\n')
      expect(await found(false)).toMatch(fromSeals)
      expect(await found(true)).toMatch(fromAll)
    })
  const NOTHING = /^$/

  finds(
    'an old payout of more, read whole',
    NOTHING,
    /part 0 has other postings in the archive than were sealed[\s\S]*runs posted something else than they sealed/,
    `UPDATE archived_payout SET amounts[1] = amounts[1] + 1 WHERE kind = 'passive' AND journal_id < 131072`,
  )
  finds(
    'two old payouts exchanged, read whole',
    NOTHING,
    /part 0 has other postings/,
    `UPDATE archived_payout SET at = at + interval '1 second' WHERE kind = 'direct' AND journal_id = (SELECT min(journal_id) FROM archived_payout WHERE kind = 'direct')`,
  )
  finds(
    'a payout of a sealed part that is not in the archive, read whole',
    NOTHING,
    /part 1 has other postings in the archive than were sealed/,
    `ALTER TABLE posting_1 DROP CONSTRAINT part_is_sealed;
     UPDATE posting SET at = at + interval '1 second' WHERE journal_id = (SELECT min(journal_id) FROM posting WHERE kind = 'direct' AND journal_id < 262144)`,
  )
  finds(
    'an entry of such a part that is other than its copy, read whole',
    NOTHING,
    /part 1 has other postings in the archive than were sealed/,
    `ALTER TABLE posting_1 DROP CONSTRAINT part_is_sealed;
     UPDATE posting SET at = at + interval '1 second' WHERE kind = 'reverse_investment' AND journal_id < 262144`,
  )
  finds(
    'an old investment of less, however it is read',
    /part 0 has other postings/,
    /part 0 has other postings/,
    `UPDATE archived_posting SET amount = amount - 1 WHERE kind = 'reinvest'`,
  )
  finds(
    'a sum of a seal',
    /the seal of part 1 says other sums than it was sealed with/,
    /the seal of part 1 says other sums/,
    `UPDATE ledger_seal_sum SET amount = amount + 1 WHERE part = 1 AND kind = 'passive'`,
  )
  finds(
    'what members were paid before, with the member’s balance to match',
    /paid by sealed parts is another sum than was sealed/,
    /members were paid another sum by sealed parts/,
    `UPDATE sealed_earning SET passive[2] = passive[2] + 1, passive_days = passive_days;
     UPDATE member_balance SET balance = balance + 1, earned = earned + 1, earned_passive = earned_passive + 1 WHERE member_id = 1`,
  )
  finds(
    'a chain that was computed anew',
    /the seal of part 1 is not the one in the audit trail/,
    /the seal of part 1 is not the one in the audit trail/,
    `UPDATE ledger_seal SET sealed_at = sealed_at + interval '1 day' WHERE part = 1; UPDATE ledger_seal s SET hash = ledger_seal_hash(s) WHERE part = 1`,
  )
  finds(
    'a seal that is gone',
    /the seal of part 1 does not follow the one before it/,
    /does not follow/,
    'DELETE FROM ledger_seal WHERE part = 0; DELETE FROM ledger_seal_sum WHERE part = 0',
  )
  it('both readings say how far they are, and two readers of one moment take each step once', async () => {
    const steps = async (reading: Reading) => {
      const taken: number[] = []
      const report = await checkLedger(db, { ...reading, progress: (step) => taken.push(step) })
      expect(taken).toEqual(taken.map((_, place) => place + 1))
      return { count: taken.length, report }
    }
    const [one, two] = [await steps({}), await steps({ readers: 2 })]
    expect(two).toEqual(one)
    // The payouts of all parts, what members were paid by them, and each part by itself.
    expect((await steps({ whole: true })).count).toBe(one.count + 4)
    expect(
      await queryColumn<string>(db)`SELECT action FROM audit_event WHERE action = 'ledger.seal'`,
    ).toHaveLength(2)
  })
})

it('a part waits for a run of its days that is held, and not for ever where that is paid in the next part', async () => {
  await history.fund('commission', '100000')
  await history.invest(people.dan, '500000')
  await history.payDay()
  expect(await seal()).toEqual(['The ledger’s part 2 is sealed.'])
  expect(await keepLedger(owner, NOW, SEALING)).toEqual([])
  await overruleHeld(history, 'direct')
  expect(await keepLedger(owner, NOW, SEALING)).toEqual(['The ledger’s part 3 is sealed.'])
  expect([await history.faults(), await whole()]).toEqual([[], []])
  expect(await archive()).toEqual([1, 2, 3].map((part) => `The ledger’s part ${part} is in the archive.`))
  expect([await history.faults(), await whole()]).toEqual([[], []])
})
