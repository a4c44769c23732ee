import { connect, inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createHistoryFixture, type HistoryFixture } from '../../../testing/history-fixture.ts'
import { activateMaster, setExtraPercent } from '../../genealogy/genealogy.commands.ts'
import { replayRun, runIds } from './replay.queries.ts'

let history: HistoryFixture
beforeEach(async () => {
  history = await createHistoryFixture(inject('ownerUrl'))
})
afterEach(() => history?.close())

/** Of each run: what a replay says, and what it comes to. */
async function verdicts(ids: readonly bigint[]) {
  const told = []
  for (const id of ids) {
    const replay = await replayRun(history.db, id)
    told.push([id, replay?.verdict, replay?.count, replay?.sum])
  }
  return told
}

describe('what a replay of an old run comes to', () => {
  it('does not change with later investments, reversals, masters, extra points, members or plans', async () => {
    const { ana, cora, dan, eva, fay } = history.people
    const setExtra = (percent: string) =>
      inTransaction(history.owner, (tx) =>
        setExtraPercent(tx, { sponsorId: ana, percent, by: 'root' }, history.now),
      )
    expect(await setExtra('1.5')).toBe(true)
    await history.invest(dan, '400')
    const ids = await runIds(history.db, 0n, 1000)
    const before = await verdicts(ids)
    expect([await setExtra('3'), await setExtra('3')]).toEqual([true, false])
    await history.invest(eva, '5000')
    await history.invest(await history.member(dan), '700')
    await history.reverseLatest(fay)
    await history.reverseLatest(cora)
    await history.within((tx) => activateMaster(tx, ana, dan, history.now))
    expect(await setExtra('0')).toBe(true)
    await history.payDay()
    await history.payDay()
    expect(await verdicts(ids)).toEqual(before)
    expect(before.every(([, verdict]) => verdict === 'matches')).toBe(true)
    const later = (await runIds(history.db, 0n, 1000)).slice(ids.length)
    expect(later.length).toBeGreaterThan(4)
    expect((await verdicts(later)).filter(([, verdict]) => verdict !== 'matches')).toEqual([])
    expect(await history.faults()).toEqual([])
  })

  it('is written nowhere: a transaction that must not write is all it needs', async () => {
    const name = new URL(history.server.database.ownerUrl).pathname.slice(1)
    await query(history.owner)`ALTER DATABASE ${sql.id(name)} SET default_transaction_read_only = on`
    const open = () => connect(history.server.database.serverUrl, 1)
    // A connection that was refused a write is left: the database is looked for elsewhere.
    const [writer, reader] = [open(), open()]
    try {
      await expect(query(writer.db)`DELETE FROM spent_captcha`).rejects.toThrow(/read-only/)
      for (const id of await runIds(reader.db, 0n, 1000))
        expect((await replayRun(reader.db, id))?.verdict).toBe('matches')
    } finally {
      await Promise.all([writer.close(), reader.close()])
    }
  })
})

describe('a replay of a batch of many investments', () => {
  it('reads the network at once, as the run did, and comes out as it was sealed', async () => {
    const { bob, gil } = history.people
    await query(history.owner)`INSERT INTO plan_version (version, starts_at, document)
      SELECT version + 1, ${history.now}, jsonb_set(document, '{investment,balanceADay}', '110')
      FROM plan_version ORDER BY version DESC LIMIT 1`
    await history.fund('commission', '5000')
    for (const memberId of [bob, gil]) {
      await history.receive(memberId, '110')
      for (let made = 0; made < 110; made += 1) await history.reinvest(memberId, '1', `${memberId} ${made}`)
    }
    await history.payAllDirect()
    const run = (await runIds(history.db, 0n, 1000)).at(-1)
    expect(await replayRun(history.db, run ?? 0n)).toMatchObject({
      verdict: 'matches',
      state: 'done',
      kind: 'direct',
      // Up to four active sponsors above one of the two, and one above the other.
      count: 110 * 5,
    })
  })
})
