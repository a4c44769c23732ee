import { afterAll, describe, expect, inject, it } from 'vitest'
import { openRoles, refusal } from './testing/roles.ts'

/** How outgoing transfers ended, many at once. */
const { roles, value, close } = await openRoles(inject('ownerUrl'))
afterAll(close)

const { owner } = roles
const HELD = 1_000
await owner.query(
  "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')",
)
await owner.query(
  `INSERT INTO custody_holding (address, role, member_id, amount) VALUES ('hot', 'hot', 0, $1), ('cold', 'cold', 0, 0), ('deposit', 'deposit', 5, $1)`,
  [HELD],
)

let made = 0
interface Transfer {
  readonly purpose?: string
  readonly from?: string
  readonly to?: string
  readonly amount?: number
  readonly state?: string
  readonly trace?: string
}
/** A transfer that is signed; its txid. */
async function transfer({
  purpose = 'withdrawal',
  from = 'hot',
  to = 'T',
  amount = 10,
  state = 'signed',
  trace,
}: Transfer = {}) {
  made += 1
  const txid = made.toString(16).padStart(64, '0')
  await owner.query(
    `INSERT INTO outgoing_transfer (txid, purpose, member_id, withdrawal_id, from_address, to_address, amount, raw, expires_at, state, signature)
     VALUES ($1, $2, $3, $4, $5, $6, $7, '', now(), $8, $9)`,
    [txid, purpose, made, purpose === 'withdrawal' ? made : null, from, to, amount, state, Buffer.alloc(65)],
  )
  if (trace !== undefined)
    await owner.query('UPDATE outgoing_transfer SET traceparent = $2 WHERE txid = $1', [txid, trace])
  return txid
}

/** What the gateway says of them; of each whether it was open until then. */
async function settle(
  ended: readonly { readonly txid: string; readonly arrived?: number; readonly success?: boolean }[],
) {
  const { rows } = await roles.gateway.query(
    'SELECT txid, settled FROM settle_outgoing_transfers($1, $2, $3, $4, $5, $6, $7)',
    [
      ended.map(({ txid }) => txid),
      ended.map((_, place) => 500 + place),
      ended.map(() => new Date(0)),
      ended.map(({ success = true }) => success),
      ended.map(({ success = true }) => (success ? 'SUCCESS' : 'REVERT')),
      ended.map(({ success = true, arrived = 10 }) => (success ? arrived : null)),
      ended.map(() => 345_000),
    ],
  )
  expect(rows.map(({ txid }) => txid)).toEqual(ended.map(({ txid }) => txid))
  return rows.map(({ settled }) => settled)
}
const held = async () => {
  const { rows } = await owner.query('SELECT address, amount::int FROM custody_holding ORDER BY address')
  return Object.fromEntries(rows.map(({ address, amount }) => [address, amount]))
}
/** The transfers of each job that books some, and the trace that it goes on in. */
const jobs = async () => {
  const { rows } = await owner.query(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND t.identifier = 'outgoing_transfers.settle' RETURNING j.id, j.payload`,
  )
  return rows.toSorted((one, other) => Number(one.id) - Number(other.id)).map(({ payload }) => payload)
}

describe('transfers that ended in one block', () => {
  it('are each closed once, and what the wallets hold follows', async () => {
    const [paid, failed, sweep, fuel, surplus, closed] = [
      await transfer(),
      await transfer(),
      await transfer({ purpose: 'sweep', from: 'deposit', to: 'hot', amount: 300 }),
      await transfer({ purpose: 'trx_topup', to: 'deposit', amount: 70 }),
      await transfer({ purpose: 'surplus', to: 'cold', amount: 200 }),
      await transfer({ state: 'expired' }),
    ]
    const ended = [
      { txid: paid },
      { txid: failed, success: false },
      { txid: sweep, arrived: 290 },
      { txid: fuel },
      { txid: surplus, arrived: 200 },
      { txid: closed },
      { txid: paid },
      { txid: 'f'.repeat(64) },
    ]
    expect(await settle(ended)).toEqual([true, true, true, true, true, false, false, false])
    // In, less what the token took of the sweep; out, as it was sent. TRX is not counted.
    expect(await held()).toEqual({ deposit: HELD - 300, hot: HELD - 10 + 290 - 200, cold: 200 })
    const { rows } = await owner.query(
      'SELECT state, block::int, arrived::int FROM outgoing_transfer WHERE txid = ANY($1) ORDER BY txid',
      [[paid, failed, sweep, fuel, surplus, closed]],
    )
    expect(rows).toEqual([
      { state: 'settled', block: 500, arrived: 10 },
      { state: 'failed', block: 501, arrived: null },
      { state: 'settled', block: 502, arrived: 290 },
      { state: 'settled', block: 503, arrived: 10 },
      { state: 'settled', block: 504, arrived: 200 },
      { state: 'expired', block: null, arrived: null },
    ])
    expect(await jobs()).toEqual([{ txids: [paid, failed, sweep, surplus] }])
    const before = await held()
    expect(await settle(ended)).toEqual(ended.map(() => false))
    expect([await held(), await jobs()]).toEqual([before, []])
  })

  it('are booked by a job for a hundred of them; one that is traced has its own', async () => {
    const trace = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
    const txids: string[] = []
    for (let number = 0; number < 103; number += 1)
      txids.push(await transfer({ amount: 1, ...(number === 50 && { trace }) }))
    await settle(txids.map((txid) => ({ txid, arrived: 1 })))
    const [first, traced, rest] = (await jobs()).toSorted((one, other) =>
      one.txids[0] < other.txids[0] ? -1 : 1,
    )
    expect(first.txids).toEqual(txids.slice(0, 100).filter((_, place) => place !== 50))
    expect(traced).toEqual({ txids: [txids[50]], traceparent: trace })
    expect(rest.txids).toEqual(txids.slice(100))
  })

  it('are said by the gateway alone', async () => {
    const nothing = "SELECT settle_outgoing_transfers('{}', '{}', '{}', '{}', '{}', '{}', '{}')"
    for (const role of ['api', 'worker', 'signer', 'approvals'] as const)
      expect(await refusal(value(role, nothing))).toBe('42501')
  })
})
