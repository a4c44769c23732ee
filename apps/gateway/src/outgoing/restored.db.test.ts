/** A database that is older than the chain and the signer's journal, as one restored from a backup is. */
import { afterEach, describe, expect, it } from 'vitest'
import { COLD_WALLET, HOT_WALLET } from '../testing/gateway.ts'
import { createOutgoingHarness, depositOf, USDT_UNIT, walletOf } from '../testing/outgoing-harness.ts'
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

async function isUnexplained(txid: string): Promise<boolean> {
  return (await harness.rows('SELECT FROM unexplained_outflow WHERE txid = $1', [txid])).length > 0
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
      expect(await isUnexplained(txid)).toBe(false)
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
      await harness.look()
      await harness.mine(2)
    }
    // The database knows nothing of it, and the chain does.
    expect(await harness.delayOf(id)).toBe('earlier_transfer_arrived')
    expect(new Set(await harness.states(id))).toEqual(new Set(['prepared']))
    expect(await harness.balance(to)).toBe(HUNDRED)
  })
})

/** An entry of the signer's journal: 100 USDT and a fee of 1, by this transaction. */
const signed = (txid: string, entry: { member: number; withdrawal: number; wallet: string }) => ({
  txid,
  ...entry,
  amount: String(HUNDRED),
  fee: String(USDT_UNIT),
  expires: harness.now().getTime() + 60_000,
})

async function report(...entries: readonly ReturnType<typeof signed>[]): Promise<number | undefined> {
  const [row] = await harness.rows<{ lost: number }>('SELECT report_signed($1::jsonb) AS lost', [
    JSON.stringify(entries),
  ])
  return row?.lost
}

/** Another withdrawal of the same amount to the same wallet, which waits. */
async function waiting(member: number, wallet: string, isApproved = false): Promise<number> {
  const [made] = await harness.rows<{ id: number }>(
    `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version,
       hold_journal_id, requested_at) VALUES ($1, 101000000, 1000000, 101000000, 0, $2, 1, 1, 1, now()) RETURNING id::int`,
    [member, wallet],
  )
  const id = made?.id ?? 0
  if (isApproved)
    await harness.rows(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE withdrawal SET state = 'approved', approved_at = now() WHERE id = ${id}; COMMIT`)
  return id
}

describe('what the signer says that it signed', () => {
  const restorations = () => harness.rows('SELECT id FROM restoration WHERE ended_at IS NULL')
  const stops = () => harness.rows('SELECT FROM payout_stop WHERE stopped AND restoration_id IS NOT NULL')

  it('begins nothing while the database knows all of it', async () => {
    const { id, to, gateway } = await harness.sent()
    const paid = await harness.finish(gateway, id)
    const lost = await report(signed(paid?.txid ?? '', { member: 1, withdrawal: id, wallet: to }))
    expect([lost, await restorations(), await stops()]).toEqual([0, [], []])
  })

  it('begins a restoration where the database has lost some of it, keeps what was lost, and stops payments', async () => {
    const { id, to, txid } = await paidAndForgotten()
    const entry = signed(txid, { member: 1, withdrawal: id, wallet: to })
    expect([await report(entry), await report(entry)]).toEqual([1, 1])
    const [restoration] = await restorations()
    expect(
      await harness.rows(
        `SELECT member_id::int AS member, withdrawal_id::int AS withdrawal, amount, fee, wallet, restoration_id AS id
         FROM lost_payment WHERE txid = $1`,
        [txid],
      ),
    ).toEqual([
      { member: 1, withdrawal: id, amount: entry.amount, fee: entry.fee, wallet: to, ...restoration },
    ])
    expect(await stops()).toHaveLength(1)
    // It is read at least until nothing of it can enter the chain any more.
    expect(
      await harness.rows(
        'SELECT read_until >= to_timestamp($1::float / 1000) AS whole FROM restoration WHERE id = $2',
        [entry.expires, restoration?.['id']],
      ),
    ).toEqual([{ whole: true }])
  })

  it('has a withdrawal made again that the database lost with its payment', async () => {
    const { id, to, txid } = await paidAndForgotten()
    await harness.rows(`BEGIN; SET LOCAL session_replication_role = replica;
      DELETE FROM withdrawal WHERE id = ${id};
      INSERT INTO plan_version (version, starts_at, document) VALUES (1, '-infinity', '{}');
      INSERT INTO member_balance (member_id, balance) VALUES (1, 101000000) ON CONFLICT (member_id) DO UPDATE SET balance = 101000000;
      COMMIT`)
    await report(signed(txid, { member: 1, withdrawal: id, wallet: to }))
    await harness.gateway().follow()
    expect(await harness.transfers(id)).toMatchObject([{ txid, purpose: 'withdrawal', state: 'settled' }])
    expect(
      await harness.rows('SELECT member_id::int AS member, state, amount FROM withdrawal WHERE id = $1', [
        id,
      ]),
    ).toEqual([{ member: 1, state: 'approved', amount: '101000000' }])
    expect(await harness.rows('SELECT balance, held FROM member_balance WHERE member_id = 1')).toEqual([
      { balance: '0', held: '101000000' },
    ])
    expect(await isUnexplained(txid)).toBe(false)
  })

  it('is never taken for the withdrawal of another member, to the same wallet over the same amount', async () => {
    const { id, to, txid } = await paidAndForgotten()
    const others = await waiting(2, to)
    await harness.rows(`BEGIN; SET LOCAL session_replication_role = replica;
      DELETE FROM withdrawal WHERE id = ${id}; DELETE FROM member_balance WHERE member_id = 1; COMMIT`)
    await report(signed(txid, { member: 1, withdrawal: id, wallet: to }))
    await harness.gateway().follow()
    expect(await harness.transfers(others)).toEqual([])
    expect(await harness.rows('SELECT state FROM withdrawal WHERE id = $1', [others])).toEqual([
      { state: 'requested' },
    ])
    // The member has nothing that it could have been paid from: a person looks into it.
    expect(await isUnexplained(txid)).toBe(true)
  })
})

describe('a transfer that the chain has and the database does not', () => {
  const txidOf = (number: number) => `ad0b7ed${number}`.padEnd(64, '0')
  /** Read on the chain; the row that it became, or nothing. */
  async function adopt(number: number, from: string, to: string) {
    const txid = txidOf(number)
    await harness.rows('SELECT adopt_transfer($1, $2, $3, $4, 5, now(), 0)', [
      txid,
      from,
      to,
      String(HUNDRED),
    ])
    const rows = await harness.rows(
      'SELECT purpose, member_id::int AS member, withdrawal_id::int AS withdrawal FROM outgoing_transfer WHERE txid = $1',
      [txid],
    )
    return rows[0] ?? null
  }

  it('is what its two addresses say, and nothing of ours where they are strange', async () => {
    await begin(false)
    const nobodys = { member: 0, withdrawal: null }
    expect(await adopt(1, depositOf(3), HOT_WALLET)).toEqual({
      purpose: 'sweep',
      member: 3,
      withdrawal: null,
    })
    expect(await adopt(2, HOT_WALLET, COLD_WALLET)).toEqual({ purpose: 'surplus', ...nobodys })
    expect(await adopt(3, walletOf(77), HOT_WALLET)).toBeNull()
    expect(await adopt(4, depositOf(3), COLD_WALLET)).toBeNull()
    expect(await adopt(5, HOT_WALLET, walletOf(77))).toBeNull()
  })

  it('is the withdrawal that the signer names, else one that was approved, else the oldest, and none that has a transfer', async () => {
    const to = harness.newWallet()
    const [oldest, approved, named] = [await waiting(4, to), await waiting(4, to, true), await waiting(4, to)]
    await begin(true)
    await report(signed(txidOf(6), { member: 4, withdrawal: named, wallet: to }))
    const paid = { purpose: 'withdrawal', member: 4 }
    expect(await adopt(6, HOT_WALLET, to)).toEqual({ ...paid, withdrawal: named })
    expect(await adopt(7, HOT_WALLET, to)).toEqual({ ...paid, withdrawal: approved })
    expect(await adopt(8, HOT_WALLET, to)).toEqual({ ...paid, withdrawal: oldest })
    expect(await adopt(9, HOT_WALLET, to)).toBeNull()
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
