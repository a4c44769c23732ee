import { describe, expect, it } from 'vitest'
import { createHistoryFixture } from '../../../testing/history-fixture.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { tamperWith } from '../../../testing/tampering.ts'
import { type Replay, replayRun, replayWithin, runIds } from './replay.queries.ts'

const history = await suiteFixture(createHistoryFixture)
const { db } = history.server.context
const owner = tamperWith(history.server.database.ownerUrl)

const allRuns = () => runIds(db, 0n, 1000)

async function replayEvery(ids: readonly bigint[]): Promise<Replay[]> {
  const replays: Replay[] = []
  for (const id of ids) {
    const replay = await replayRun(db, id)
    if (replay !== undefined) replays.push(replay)
  }
  return replays
}

/** A replay in lines: what differs of what went in, then of what came out. */
const linesOf = (replay: Replay): string[] => [
  ...replay.inputs.map((section) => `input ${section}`),
  ...replay.differences.map(
    ({ memberId, of, field, sealed, recomputed }) =>
      `${memberId === null ? '' : `member ${memberId} `}${of}: ${field} ${sealed} → ${recomputed}`,
  ),
]

/** The replays that differ after the owner of the tables has tampered behind every trigger, under their run. */
async function differAfter(statements: string): Promise<Record<string, string[]>> {
  const ids = await allRuns()
  const differing: [string, string[]][] = []
  await owner.after(statements, async (tx) => {
    for (const id of ids) {
      const replay = await replayWithin(tx, id)
      if (replay?.verdict !== 'differs') continue
      const { kind, period, state } = replay
      differing.push([`${kind} ${period}${state === 'done' ? '' : ` ${state}`}`, linesOf(replay)])
    }
  })
  return Object.fromEntries(differing)
}

describe('a replay', () => {
  it('of every run comes out as it was sealed, to the micro-USDT and to the byte', async () => {
    const replays = await replayEvery(await allRuns())
    expect(replays.filter(({ verdict }) => verdict !== 'matches')).toEqual([])
    const kinds = ['passive', 'direct', 'binary']
    const all = kinds.flatMap((kind) => [`${kind} done`, `${kind} cancelled`])
    expect(new Set(replays.map(({ kind, state }) => `${kind} ${state}`))).toEqual(new Set(all))
    expect(replays.find(({ period }) => period === '2026-05-02')).toMatchObject({
      kind: 'passive',
      count: 6,
      sum: 18_666_664n,
      itemsOnly: false,
    })
  })

  it('of a run that is not there is none, and of one that still computes compares nothing', async () => {
    expect(await replayRun(db, 999_999n)).toBeUndefined()
    const statements = "UPDATE payout_run SET state = 'computing', items_hash = NULL WHERE id = 1"
    const replay = await owner.after(statements, (tx) => replayWithin(tx, 1n))
    expect(replay).toMatchObject({ verdict: 'unsealed', differences: [] })
  })

  it('of a run from before compares its items, and says that it can do no more', async () => {
    const before = "UPDATE payout_run SET input_hash = NULL, inputs = '{}' WHERE kind = 'direct'"
    const ids = await allRuns()
    const replays = await owner.after(before, async (tx) =>
      Promise.all(ids.slice(0, 7).map((id) => replayWithin(tx, id))),
    )
    for (const replay of replays) expect(replay).toMatchObject({ verdict: 'matches', itemsOnly: true })
    expect(replays).toHaveLength(7)
    const changed = `${before}; UPDATE payout_item SET amount = 1 WHERE kind = 'master'`
    expect(await differAfter(changed)).toEqual({
      'direct 13-13': ['member 2 item of investment 13: amount 0.000001 → 7.00'],
    })
  })
})

describe('a replay names', () => {
  it('an investment whose amount was changed, and everything that rested on it', async () => {
    const differing = await differAfter(
      'UPDATE investment SET amount = 899000000 WHERE member_id = 5 AND amount = 900000000',
    )
    expect(Object.keys(differing)).toEqual([
      'passive 2026-05-02',
      'binary 2026-05-01',
      'passive 2026-05-03',
      'binary 2026-05-02',
      'direct 17-17',
      'binary 2026-05-03',
    ])
    expect(differing['direct 17-17']).toEqual(
      expect.arrayContaining([
        'input investments',
        'member 2 item of investment 17: amount 45.00 → 44.95',
        'member 2 item of investment 17: basis 900.00 → 899.00',
        'run: item_sum 63.00 → 62.93',
      ]),
    )
    expect(differing['binary 2026-05-03']?.[0]).toBe('input movements')
    expect(differing['binary 2026-05-01']).toEqual(['input principals'])
    expect(differing['passive 2026-05-02']?.slice(0, 2)).toEqual([
      'input principals',
      'member 5 item: amount null → 0.003333',
    ])
  })

  it('an investment that is gone, and a reversal that takes back less', async () => {
    const gone = await differAfter('DELETE FROM investment WHERE member_id = 3 AND amount = 5000000000')
    expect(gone['direct 15-15']).toContain('input investments')
    expect(gone['binary 2026-05-02']).toContain('input movements')
    const less = await differAfter('UPDATE reversal SET amount = amount - 100000000 WHERE member_id = 8')
    expect(less['binary 2026-05-04']).toContain('input movements')
    expect(less['passive 2026-05-04']).toContain('member 8 item: basis 700.00 → 600.00')
  })

  it('a sponsor that was changed: in the chains above investments, and in the tree', async () => {
    const differing = await differAfter('UPDATE sponsorship SET sponsor_id = 3 WHERE member_id = 5')
    expect(differing['direct 17-17']).toEqual([
      'input uplines',
      'member 2 item of investment 17: amount 45.00 → null',
      'member 3 item of investment 17: amount null → 45.00',
      expect.stringMatching(/^run: items_hash [0-9a-f]{64} → [0-9a-f]{64}$/),
    ])
    expect(differing['binary 2026-05-03']?.slice(0, 2)).toEqual([
      'input places',
      'member 2 item: amount 90.00 → null',
    ])
  })

  it('a place on the other side', async () => {
    const differing = await differAfter("UPDATE placement SET leg = 'R' WHERE member_id = 8")
    expect(differing['binary 2026-05-01']?.slice(0, 3)).toEqual([
      'input places',
      'member 7 carry: left 700.00 → 0.00',
      'member 7 carry: right 0.00 → 700.00',
    ])
    expect(Object.keys(differing).filter((name) => !name.startsWith('binary'))).toEqual([])
  })

  it('a master link that came later, or who was active otherwise', async () => {
    expect((await differAfter('UPDATE master_code SET id = 14'))['direct 13-13']?.slice(0, 2)).toEqual([
      'input uplines',
      'member 2 item of investment 13: amount 7.00 → null',
    ])
    const differing = await differAfter('UPDATE member_balance SET principal = 1000000 WHERE member_id = 6')
    expect(differing['direct 11-11']?.[0]).toBe('input uplines')
    // Under compression every member above moves up a level.
    expect(differing['direct 26-26']).toEqual(
      expect.arrayContaining([
        'input uplines',
        'member 4 item of investment 26: level 2 → 3',
        'member 6 item of investment 26: amount null → 19.50',
        'member 6 missed of investment 26: amount 19.50 → null',
      ]),
    )
  })

  it('a plan that says something else, and one that is gone', async () => {
    const rate = `UPDATE plan_version SET document = jsonb_set(document, '{passive,percentPerPeriod}', '"11"') WHERE version = 1`
    const differing = await differAfter(rate)
    expect(differing['passive 2026-05-02']?.slice(0, 3)).toEqual([
      'input plan',
      'input rate',
      'member 1 item: amount 6.666666 → 7.333333',
    ])
    expect(differing['direct 3-3']).toEqual(['input plan'])
    expect((await differAfter('DELETE FROM plan_version WHERE version = 2'))['binary 2026-05-04']).toEqual([
      'input it cannot be computed any more: plan version 2 is gone, or is no plan any more',
    ])
  })

  it('a declared rate that was changed, or is gone', async () => {
    const changed = await differAfter("UPDATE declared_rate SET percentage = '0.2'")
    expect(Object.keys(changed)).toEqual(['passive 2026-05-03'])
    expect(changed['passive 2026-05-03']?.slice(0, 2)).toEqual([
      'input rate',
      'member 1 item: amount 2.00 → 4.00',
    ])
    expect((await differAfter('DELETE FROM declared_rate'))['passive 2026-05-03']?.[0]).toBe('input rate')
  })

  it('points that a day carried out otherwise, and the day that begins with them', async () => {
    const differing = await differAfter(
      "UPDATE binary_carry SET lefts[2] = lefts[2] + 1 WHERE period = '2026-05-02'",
    )
    expect(differing['binary 2026-05-02']).toEqual(['member 1 carry: left 0.000001 → 0.00'])
    expect(differing['binary 2026-05-03']?.slice(0, 2)).toEqual([
      'input carry',
      'member 1 item: basis 900.00 → 900.000001',
    ])
    expect(Object.keys(differing)).toHaveLength(2)
  })

  /** Adds a test: after these statements exactly this differs. */
  const differs =
    (what: string, expected: Readonly<Record<string, readonly unknown[]>>) =>
    (statements: TemplateStringsArray) =>
      it(what, async () => expect(await differAfter(statements.join(''))).toEqual(expected))
  const direct = (line: string) => ({ 'direct 13-13': [`member 2 item of investment 13: ${line}`] })
  const passive = (line: string | RegExp) => ({
    'passive 2026-05-02': [typeof line === 'string' ? line : expect.stringMatching(line)],
  })

  differs('an item of another amount', direct('amount 7.000001 → 7.00'))`
    UPDATE payout_item SET amount = amount + 1 WHERE kind = 'master'`
  differs('an item that is gone', direct('amount null → 7.00'))`DELETE FROM payout_item WHERE kind = 'master'`
  differs('an item numbered otherwise', direct('leg 1 → 0'))`
    UPDATE payout_item SET leg = 1 WHERE kind = 'master'`
  const capped = ['member 1 missed: reason capped → flushed', 'member 2 missed: reason capped → flushed']
  differs('another reason why something was missed', { 'binary 2026-05-07': capped })`
    UPDATE payout_missed SET reason = 'capped' WHERE reason = 'flushed'`
  differs('an amount in a page', passive('member 2 item: amount 3.333334 → 3.333333'))`
    UPDATE payout_page SET amounts[2] = amounts[2] + 1 WHERE run_id = 8`
  const earned = [expect.stringMatching(/^member 8 item: earned \S+ → \S+$/)]
  differs('profit before, in a page of a day with a cap', { 'passive 2026-05-08': earned })`
    UPDATE payout_page SET earned[1] = earned[1] + 1 WHERE run_id = 28`
  differs('a page with another hash', passive(/^page 0: hash x → [0-9a-f]{64}$/))`
    UPDATE payout_page SET hash = 'x' WHERE run_id = 8`
  differs('a sum that the items do not come to', passive('run: item_sum 18.666665 → 18.666664'))`
    UPDATE payout_run SET item_sum = item_sum + 1 WHERE id = 8`
  differs('a seal of something else', passive(/^run: items_hash x → [0-9a-f]{64}$/))`
    UPDATE payout_run SET items_hash = 'x' WHERE id = 8`
  const inputs = { 'passive 2026-05-02': ['input input_hash', 'input principals'] }
  differs('inputs recorded otherwise', inputs)`
    UPDATE payout_run SET inputs = jsonb_set(inputs, '{principals}', '"x"') WHERE id = 8`
})
