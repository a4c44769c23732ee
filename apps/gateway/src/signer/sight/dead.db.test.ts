/** A gateway that lies, with its own role and whatever it writes: what the chain has paid is not paid again. */
import type { TronAddress } from '@aval/tron'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { storePrepared } from '../../outgoing/outgoing.sql.ts'
import { buildTokenTransfer } from '../../outgoing/transfer-bytes.rules.ts'
import { HOT_WALLET } from '../../testing/gateway.ts'
import { createOutgoingHarness, USDT_UNIT } from '../../testing/outgoing-harness.ts'
import { USDT } from '../../testing/scripted-chain.ts'
import { suiteHarness } from '../../testing/suite.ts'

const harness = await suiteHarness(createOutgoingHarness, { hot: 100_000n * USDT_UNIT, nodes: 2 })
const { states, later, rows } = harness
const { db } = harness.gatewayDb
const HUNDRED = 100n * USDT_UNIT

/** Where the honest gateway had read to. */
let cursor: string | undefined
afterEach(async () => {
  for (const node of harness.devnet.nodes) node.clear()
  await rows('DELETE FROM chain_cursor')
  await rows('INSERT INTO chain_cursor SELECT * FROM jsonb_populate_record(NULL::chain_cursor, $1::jsonb)', [
    cursor,
  ])
})

/** A withdrawal that has arrived in a solid block, of which the lying gateway says nothing; its transfer. */
async function paid() {
  const { id, to, gateway } = await harness.sent()
  await harness.mine(5)
  expect(await harness.balance(to)).toBe(HUNDRED)
  const [transfer] = await rows<{ txid: string; expires: Date; raw: Buffer }>(
    'SELECT txid, expires_at AS expires, raw FROM outgoing_transfer WHERE withdrawal_id = $1',
    [id],
  )
  cursor = (await rows<{ text: string }>('SELECT to_jsonb(c)::text AS text FROM chain_cursor c'))[0]?.text
  if (transfer === undefined) throw new Error('nothing was prepared')
  return { id, to, gateway, ...transfer }
}

/** Blocks that nobody made, one after the other up to this moment. */
const madeUp = async (until: Date): Promise<string> => {
  const { rows: moved } = await sql<{ verdict: string }>`
    SELECT move_chain_cursor('devnet', ARRAY[scanned_block + 1], ARRAY[repeat('e', 64)], ARRAY[scanned_block_id], ARRAY[${until}::timestamptz])
      AS verdict FROM chain_cursor`.execute(db)
  return moved[0]?.verdict ?? ''
}

/** What the honest code would make, for a moment of the liar's choice. */
async function prepareAnother({ id, to }: { id: number; to: TronAddress }, at: number): Promise<string> {
  const validity = { refBlockId: harness.devnet.chain.head().id, timestamp: at, expiration: at + 60_000 }
  const amount = HUNDRED
  const built = buildTokenTransfer(USDT, { from: HOT_WALLET, to, amount }, validity, HUNDRED)
  const row = {
    purpose: 'withdrawal',
    memberId: 1n,
    withdrawalId: BigInt(id),
    from: HOT_WALLET,
    to,
    amount,
  } as const
  const rest = { expiresAt: new Date(validity.expiration), offline: false, traceparent: null }
  await storePrepared(db, [{ ...built, ...row, ...rest }])
  return built.txid
}
const answer = async (txid: string): Promise<string> => {
  const reply = await harness.signer.sign(txid)
  return reply.signed ? 'signed' : reply.code
}

describe('a live transfer that the gateway calls expired', () => {
  it('is not paid a second time: the signer finds it in the chain', async () => {
    const first = await paid()
    const past = new Date(first.expires.getTime() + 1_000)
    // As it was done: the cursor’s time is no longer the gateway’s to write.
    const moved = sql`UPDATE chain_cursor SET scanned_at = ${past}`.execute(db)
    await expect(moved).rejects.toThrow('permission denied')
    // With a block that nobody made the database is still deceived.
    expect(await madeUp(past)).toBe('moved')
    const { rows: said } = await sql<{ dead: boolean }>`
      SELECT expire_outgoing_transfer(${first.txid}, 'devnet') AS dead`.execute(db)
    expect(said).toEqual([{ dead: true }])
    const second = await prepareAnother(first, past.getTime() + 1_000)
    expect(await answer(second)).toBe('earlier_transfer_unread')
    await harness.look()
    expect(await answer(second)).toBe('earlier_transfer_arrived')
    await harness.advance(90)
    await harness.look()
    expect(await answer(second)).toBe('earlier_transfer_arrived')
    expect(await harness.balance(first.to)).toBe(HUNDRED)
    expect(harness.journal.memory.hasEnded(first.txid)).toBe(false)
  })

  it('nor where one of the signer’s nodes lies with it, nor while one is away', async () => {
    const first = await paid()
    await madeUp(new Date(first.expires.getTime() + 1_000))
    await sql`SELECT expire_outgoing_transfer(${first.txid}, 'devnet')`.execute(db)
    await harness.advance(120)
    const second = await prepareAnother(first, harness.now().getTime())
    harness.devnet.nodes[0].fault({ kind: 'lie', about: 'hidden', txid: first.txid })
    await answer(second)
    await harness.look()
    expect(await answer(second)).toBe('nodes_disagree')
    harness.devnet.nodes[1]?.fault({ kind: 'error', as: 'close' })
    await later()
    await answer(second)
    await harness.look()
    expect(await answer(second)).toBe('nodes_away')
    expect(await harness.balance(first.to)).toBe(HUNDRED)
  })
})

describe('a transfer that arrived and that the gateway calls failed', () => {
  it('gives its member no second payment under another number', async () => {
    const first = await paid()
    const end = sql`SELECT settle_outgoing_transfer(${first.txid}, 9, ${harness.now()}, false, 'OUT_OF_ENERGY', NULL, 0)`
    await end.execute(db)
    // What the worker books then.
    await rows(
      "UPDATE withdrawal SET state = 'failed', closed_at = now(), close_journal_id = 1 WHERE id = $1",
      [first.id],
    )
    const again = await harness.approve(harness.newWallet(), 101n * USDT_UNIT)
    const txid = await prepareAnother({ id: again, to: await walletOf(again) }, harness.now().getTime())
    await answer(txid)
    await harness.look()
    expect(await answer(txid)).toBe('earlier_transfer_arrived')
    expect(await states(again)).toEqual(['prepared'])
    expect(await harness.delayOf(again)).toBeNull()
  })
})

const walletOf = async (id: number) =>
  (
    await rows<{ wallet: TronAddress }>('SELECT wallet_address AS wallet FROM withdrawal WHERE id = $1', [id])
  )[0]?.wallet ?? HOT_WALLET
