/** The sums that operators' pages read are the ledger's, whatever happened, came late, was sealed, or went to the archive. */
import { keepLedger, type Upkeep } from '@aval/db/upkeep'
import { addDays, type Day } from '@aval/plan'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { query, queryColumn, queryOne, queryValue } from '../../core/query.sql.ts'
import { createHistoryFixture } from '../../testing/history-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { sumDays, sumMembers } from './company-days.commands.ts'
import { daysSince, growthSince, unlocks } from './company-days.queries.ts'

const history = await suiteFixture(createHistoryFixture)
const { db, people } = history
const owner = new pg.Client({ connectionString: history.server.database.ownerUrl })
await owner.connect()
afterAll(() => owner.end())

const ZONE = 'America/Bogota'
const EVER = '2020-01-01'

/** The same, read posting by posting. */
const ofLedger = () =>
  query(db)`
    SELECT to_char(at AT TIME ZONE ${ZONE}, 'YYYY-MM-DD') AS day, kind::text AS kind, sum(amount)::bigint AS amount
    FROM ledger_whole.posting GROUP BY 1, 2 ORDER BY 1 DESC, 2`
const sorted = async () =>
  (await daysSince(db, EVER)).sort((a, b) =>
    a.day === b.day ? (a.kind < b.kind ? -1 : 1) : a.day < b.day ? 1 : -1,
  )

const NEVER = 10_000
const TURNING: Upkeep = { aMember: 0, atLeast: 1, sealDays: NEVER, keepDays: NEVER }
const SEALING: Upkeep = { ...TURNING, aMember: NEVER, sealDays: 0 }
const NOW = new Date('2026-06-01T00:00:00Z')
/** Turns the part over, has one journal follow in the next, and seals the one before. */
async function seal(): Promise<void> {
  await keepLedger(owner, NOW, TURNING)
  history.nextDay()
  await history.receive(people.bob, '3')
  await keepLedger(owner, NOW, SEALING)
}
const summedParts = () => queryColumn<bigint>(db)`SELECT part FROM company_day_part ORDER BY part`

beforeEach(() => sumDays(db, history.now))

describe('the sums by day and kind', () => {
  it('are the ledger’s, of every kind of posting there is, reversals and debts among them', async () => {
    const found = await sorted()
    expect(found).toEqual(await ofLedger())
    const kinds = new Set(found.map(({ kind }) => kind))
    for (const kind of [
      'passive',
      'direct',
      'binary',
      'reverse_investment',
      'clawback_profit',
      'owed_commission',
    ])
      expect(kinds).toContain(kind)
  })

  it('take in what came since, also where it carries an old date', async () => {
    const before = await sorted()
    await query(history.owner)`
      SELECT post_event('late', 'deposit', ${people.bob}, '2026-05-02T15:00:00Z', ARRAY['deposit_to_balance']::posting_kind[], ARRAY[7000000])`
    await sumDays(db, history.now)
    const after = await sorted()
    expect(after).toEqual(await ofLedger())
    const ofDay = (days: typeof before) =>
      days.find(({ day, kind }) => day === '2026-05-02' && kind === 'deposit_to_balance')?.amount ?? 0n
    expect(ofDay(after) - ofDay(before)).toBe(7_000_000n)
  })

  it('stay what they were when a part is sealed and when it goes to the archive, and are then made once', async () => {
    await seal()
    expect(await summedParts()).toEqual([])
    await sumDays(db, history.now)
    expect(await summedParts()).toEqual([0n])
    const sealed = await sorted()
    expect(sealed).toEqual(await ofLedger())
    await keepLedger(owner, NOW, { ...SEALING, keepDays: 0 })
    await sumDays(db, history.now)
    expect(await sorted()).toEqual(sealed)
    // As where the sums begin on a ledger that has an archive already.
    await query(history.owner)`DELETE FROM company_day_part`
    await query(history.owner)`DELETE FROM company_day`
    await sumDays(db, history.now)
    expect(await sorted()).toEqual(sealed)
  })

  it('of a sealed part are refused where they differ from its seal', async () => {
    await seal()
    const part = await queryValue<bigint>(db)`SELECT max(part) FROM ledger_seal`
    await owner.query('ALTER TABLE ledger_seal_sum DISABLE TRIGGER USER')
    await query(history.owner)`UPDATE ledger_seal_sum SET amount = amount + 1 WHERE part = ${part}`
    await expect(sumDays(db, history.now)).rejects.toThrow(`part ${part} differ from its seal`)
    expect(await summedParts()).not.toContain(part)
    await query(history.owner)`UPDATE ledger_seal_sum SET amount = amount - 1 WHERE part = ${part}`
    await owner.query('ALTER TABLE ledger_seal_sum ENABLE TRIGGER USER')
    await sumDays(db, history.now)
    expect(await summedParts()).toContain(part)
  })
})

describe('the sums by member', () => {
  it('have all principal, by the week in which its member can withdraw it', async () => {
    await sumMembers(db, history.now)
    const found = await unlocks(db)
    const all = await queryOne<{ members: bigint; amount: bigint }>(db)`
      SELECT count(*) AS members, sum(principal)::bigint AS amount FROM member_balance WHERE principal > 0`
    expect(found.reduce((sum, { amount }) => sum + amount, 0n)).toBe(all.amount)
    // Who invested twice counts in both weeks.
    expect(found.reduce((sum, { members }) => sum + members, 0n)).toBeGreaterThanOrEqual(all.members)
    expect(found.every(({ week }) => week !== null)).toBe(true)
    // Two years on everything can be withdrawn.
    await sumMembers(db, new Date(history.now.getTime() + 730 * 86_400_000))
    expect(await unlocks(db)).toEqual([{ week: null, ...all }])
  })

  it('lock what is invested now, and move nothing that was there, in the weeks that the dashboard says', async () => {
    const client = await history.client(people.bob)
    const before = await unlocksOf()
    await history.invest(people.bob, '500')
    const { locked } = (await client.get('core/dashboard/')).json()
    const monday = mondayOf(locked.parts.at(-1).unlocks_at)
    before.set(monday, (before.get(monday) ?? 0n) + 500_000_000n)
    expect(await unlocksOf()).toEqual(before)
  })

  it('have everybody who joined, and everybody who invested, once', async () => {
    await sumMembers(db, history.now)
    const { members, investors, days } = await growthSince(db, EVER)
    expect(members).toBe(await queryValue<bigint>(db)`SELECT count(*) FROM member`)
    expect(investors).toBe(await queryValue<bigint>(db)`SELECT count(DISTINCT member_id) FROM investment`)
    expect(days.reduce((sum, each) => sum + each.members, 0n)).toBe(members)
  })
})

async function unlocksOf() {
  await sumMembers(db, history.now)
  return new Map((await unlocks(db)).map(({ week, amount }) => [week, amount]))
}

function mondayOf(instant: string): Day {
  const day = new Date(Date.parse(instant) - 5 * 3_600_000).toISOString().slice(0, 10) as Day
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}
