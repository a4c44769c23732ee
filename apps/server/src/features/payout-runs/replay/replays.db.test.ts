import { runReplay } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { query } from '../../../core/query.sql.ts'
import { soundTestFixture } from '../../../testing/suite.ts'
import { createRunsFixture } from '../testing/runs-fixture.ts'
import { replayAsked } from './replays.commands.ts'

const fixture = soundTestFixture(createRunsFixture)
const replays = async (id: number) =>
  z.array(runReplay).parse((await fixture.get(`runs/${id}/replays/`)).json())
const ask = (id: number, who = fixture.operator) => who.post(`operator/runs/${id}/replays/`, {})

describe('a replay by a press', () => {
  it('says that a run comes out bit for bit as it was sealed, and who asked', async () => {
    const run = await fixture.shortDay()
    expect(await ask(run.id)).toAnswer(200)
    expect(await replays(run.id)).toMatchObject([{ state: 'waiting', asked_by: 'olga', result: null }])
    // A second press does not compute it twice, and says whose the first was.
    expect(await ask(run.id, fixture.second)).toAnswer(409, expect.stringContaining('olga asked for this on'))
    await replayAsked(fixture.db, fixture.money.now)
    expect(await replays(run.id)).toMatchObject([
      {
        state: 'matches',
        progress: { done: 1, total: 1 },
        result: { count: run.items, sum: run.total, differences: [], inputs: [], more: 0 },
      },
    ])
    expect(await ask(run.id, fixture.second)).toAnswer(200)
    expect((await replays(run.id)).map(({ asked_by }) => asked_by)).toEqual(['otto', 'olga'])
    expect((await fixture.runs()).results.find(({ id }) => id === run.id)).toMatchObject({ state: 'held' })
  })

  it('names what differs', async () => {
    const run = await fixture.shortDay()
    await query(fixture.money.owner)`ALTER TABLE payout_page DISABLE TRIGGER USER`
    await query(fixture.money.owner)`UPDATE payout_page SET amounts = '{1999000000}' WHERE run_id = ${run.id}`
    await ask(run.id)
    await replayAsked(fixture.db, fixture.money.now)
    const [replay] = await replays(run.id)
    expect(replay?.state).toBe('differs')
    expect(replay?.result?.differences).toContainEqual({
      member: Number(fixture.memberId),
      of: 'item',
      field: 'amount',
      sealed: '1999.00',
      recomputed: '2000.00',
    })
    await query(fixture.money.owner)`UPDATE payout_page SET amounts = '{2000000000}' WHERE run_id = ${run.id}`
    await query(fixture.money.owner)`ALTER TABLE payout_page ENABLE TRIGGER USER`
  })

  it('is asked for of runs that there are', async () => {
    expect(await ask(999_999)).toAnswer(404)
  })
})
