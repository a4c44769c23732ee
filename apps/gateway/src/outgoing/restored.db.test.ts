/** A database that is older than the chain and the signer's journal, as one restored from a backup is. */
import { afterEach, describe, expect, it } from 'vitest'
import { createOutgoingHarness, USDT_UNIT } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

const harness = await suiteHarness(createOutgoingHarness, { hot: 100_000n * USDT_UNIT })
const HUNDRED = 100n * USDT_UNIT

/** What a backup would have kept of chain and custody. */
async function remember() {
  const [kept] = await harness.rows<{ cursor: string; hot: string }>(
    `SELECT to_jsonb(c)::text AS cursor, (SELECT amount::text FROM custody_holding WHERE role = 'hot') AS hot FROM chain_cursor c`,
  )
  if (kept === undefined) throw new Error('the chain was not read yet')
  return kept
}

/** Goes back to there; the withdrawal is as before its transfer was prepared. */
async function goBack(id: number, { cursor, hot }: { cursor: string; hot: string }, state = 'approved') {
  await harness.rows(`
    BEGIN; SET LOCAL session_replication_role = replica;
    DELETE FROM outgoing_transfer WHERE withdrawal_id = ${id};
    UPDATE withdrawal SET state = '${state}' WHERE id = ${id};
    DELETE FROM chain_cursor;
    INSERT INTO chain_cursor SELECT * FROM jsonb_populate_record(NULL::chain_cursor, '${cursor}');
    UPDATE custody_holding SET amount = ${hot} WHERE role = 'hot';
    COMMIT`)
}

const begin = (hasSigner: boolean) =>
  harness.rows('SELECT begin_restoration($1, $2)', [new Date(harness.now().getTime() + 60_000), hasSigner])

/** Paid whole, and then forgotten. */
async function paidAndForgotten(state?: string) {
  await harness.gateway().follow()
  const kept = await remember()
  const { id, to, gateway } = await harness.sent()
  const paid = await harness.finish(gateway, id)
  expect(paid).toMatchObject({ state: 'settled' })
  await goBack(id, kept, state)
  return { id, to, txid: paid?.txid ?? '' }
}

async function unexplained(): Promise<number> {
  return (await harness.rows('SELECT FROM unexplained_outflow')).length
}

afterEach(async () => {
  await harness.rows(`UPDATE restoration SET ended_at = now();
    UPDATE payout_stop SET restoration_id = NULL, stopped = false`)
})

describe('a payment that a restored database forgot', () => {
  it.each(['approved', 'requested'])(
    'is found on the chain and booked: its withdrawal was %s',
    async (state) => {
      const { id, to, txid } = await paidAndForgotten(state)
      await begin(false)
      const gateway = harness.gateway()
      await gateway.follow()
      expect(await harness.transfers(id)).toMatchObject([
        { txid, purpose: 'withdrawal', state: 'settled', arrived: '100000000' },
      ])
      expect(
        await harness.rows('SELECT FROM graphile_worker.jobs WHERE key = $1', [`settle:${txid}`]),
      ).toHaveLength(1)
      expect(await harness.rows('SELECT state FROM withdrawal WHERE id = $1', [id])).toEqual([
        { state: 'approved' },
      ])
      expect(await unexplained()).toBe(0)
      await harness.advance(120)
      await harness.finish(gateway, id)
      expect(await harness.states(id)).toEqual(['settled'])
      expect(await harness.balance(to)).toBe(HUNDRED)
    },
  )

  it('is not read past before the signer has said what it signed', async () => {
    const { id, txid } = await paidAndForgotten()
    await begin(true)
    const gateway = harness.gateway()
    expect(await gateway.follow()).toBe(false)
    expect(harness.logged.at(-1)).toContain('the signer has not said yet what it signed')
    await harness.rows("SELECT report_signed('[]')")
    await gateway.follow()
    expect(await harness.transfers(id)).toMatchObject([{ txid, state: 'settled' }])
  })

  it('is not signed again, also where nobody said that the database was restored', async () => {
    const { id, to } = await paidAndForgotten()
    await harness.advance(120)
    const gateway = harness.gateway()
    for (let round = 0; round < 4; round += 1) {
      await gateway.round()
      await harness.mine()
    }
    expect(await harness.delayOf(id)).toBe('signer_refused')
    expect(new Set(await harness.states(id))).toEqual(new Set(['expired']))
    expect(await harness.balance(to)).toBe(HUNDRED)
  })
})

describe('the stop of a restoration', () => {
  it('stays where the reserves or the integrity let go, and ends when all is read and compared', async () => {
    await begin(false)
    await harness.rows('UPDATE payout_stop SET stopped = false')
    const stopped = async () =>
      (await harness.rows<{ stopped: boolean }>('SELECT stopped FROM payout_stop'))[0]?.stopped
    expect(await stopped()).toBe(true)
    const end = async () =>
      (await harness.rows<{ ended: boolean }>('SELECT end_restoration() AS ended'))[0]?.ended
    expect(await end()).toBe(false)
    await harness.advance(120)
    await harness.gateway().follow()
    expect(await end()).toBe(false)
    await harness.rows(`INSERT INTO reserve_check (at, block, verdict, hot, cold, deposits, in_flight, owed, drift)
      VALUES (clock_timestamp(), 1, 'matched', 0, 0, 0, 0, 0, 0)`)
    expect(await end()).toBe(true)
    expect(await stopped()).toBe(false)
  })
})
