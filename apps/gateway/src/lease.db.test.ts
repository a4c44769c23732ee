/** Two gateways on one database: one leads, and one that leads no longer writes nothing. */
import { connect, inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isFenced, presentTerm, underTerm } from './core/lease.sql.ts'
import { createLease, LEASE_SECONDS, type Lease } from './core/lease.ts'
import { takeOfflineApprovals } from './outgoing/offline.sql.ts'
import { createGateway } from './testing/gateway.ts'
import { createOutgoingHarness, USDT_UNIT } from './testing/outgoing-harness.ts'
import { suiteHarness } from './testing/suite.ts'

const harness = await suiteHarness(createOutgoingHarness, { hot: 1_000_000n * USDT_UNIT })
const { rows, log } = harness
const url = harness.database.gatewayUrl
const SOON = { timeout: 240_000, interval: 10 }

const opened: { close(): Promise<unknown> }[] = []
const leases: Lease[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  for (const each of leases.splice(0)) await each.release()
})

let processes = 0
/** A millisecond passes with each look at it. */
let clock = 0
/** A gateway's process: what it holds the lease with. */
function another() {
  processes += 1
  const holder = `machine/${processes}/test`
  const lease = createLease({ databaseUrl: url, holder, log, elapsed: () => clock++ })
  leases.push(lease)
  return { holder, lease }
}
/** Its connections in this epoch, and the gateway on them. */
function leading(lease: Lease, epoch: bigint | null) {
  if (epoch === null) throw new Error('it stands by')
  const gatewayDb = connect(lease.urlIn(epoch), 4)
  opened.push(gatewayDb)
  const { signer, now, devnet } = harness
  const gateway = createGateway(
    { clients: devnet.nodes.map(harness.clientOf), gatewayDb, signer, log, now },
    {},
  )
  return { db: gatewayDb.db, gateway }
}
/** As if the holder had said nothing for so long. */
const lapse = () => rows("UPDATE gateway_lease SET until = clock_timestamp() - interval '1 millisecond'")
const refused = async (work: Promise<unknown>) =>
  isFenced(
    await work.then(
      () => null,
      (error) => error,
    ),
  )

describe('the lease', () => {
  it('is one gateway’s; another one stands by until it is left, and has the next epoch', async () => {
    const [ana, bea] = [another(), another()]
    const first = await ana.lease.step()
    expect([await bea.lease.step(), await ana.lease.step(), await bea.lease.step()]).toEqual([
      null,
      first,
      null,
    ])
    expect((await rows('SELECT holder FROM gateway_lease'))[0]).toEqual({ holder: ana.holder })
    await ana.lease.release()
    expect(await bea.lease.step()).toBe((first ?? 0n) + 1n)
    expect(await ana.lease.step()).toBeNull()
  })

  it('ends by the database’s clock, and when the holder’s session is gone', async () => {
    const [ana, bea] = [another(), another()]
    const first = await ana.lease.step()
    await lapse()
    expect(await bea.lease.step()).toBe((first ?? 0n) + 1n)
    expect(await ana.lease.step()).toBeNull()
    await rows('SELECT pg_terminate_backend(backend) FROM gateway_lease')
    await vi.waitFor(async () => expect(await ana.lease.step()).toBe((first ?? 0n) + 2n), SOON)
  })

  it('is kept while the database does not answer, for as long as nobody else can have it', async () => {
    const { lease } = another()
    const asked = clock
    const first = await lease.step()
    const closed = () => rows('SELECT pg_terminate_backend(backend) FROM gateway_lease')
    await rows('REVOKE EXECUTE ON FUNCTION hold_gateway_lease(text, integer) FROM aval_gateway')
    await closed()
    // Counted from the question: its answer may have been on the way for seconds. A step without an answer looks at the clock twice.
    clock = asked + 1_000 * LEASE_SECONDS - 2
    expect(await lease.step()).toBe(first)
    clock -= 1
    expect(await lease.step()).toBeNull()
    await rows('GRANT EXECUTE ON FUNCTION hold_gateway_lease(text, integer) TO aval_gateway')
    expect(await lease.step()).toBe(first)
  })

  it('goes forward, and is nobody’s to set but by its functions', async () => {
    const gateway = connect(url, 1)
    opened.push(gateway)
    const set = sql`UPDATE gateway_lease SET epoch = epoch + 1`.execute(gateway.db)
    await expect(set).rejects.toThrow('permission denied')
    await expect(rows("UPDATE gateway_lease SET holder = 'other'")).rejects.toThrow('goes forward')
    await expect(rows('DELETE FROM gateway_lease')).rejects.toThrow()
  })
})

describe('a leader that was paused and wakes', () => {
  it('reads, sends and moves nothing; the withdrawal is paid once, by the one that leads', async () => {
    const [ana, bea] = [another(), another()]
    const old = leading(ana.lease, await ana.lease.step())
    await old.gateway.round()
    const to = harness.newWallet()
    const id = await harness.approve(to, 101n * USDT_UNIT)
    await harness.mine()
    // Paused before it prepares anything.
    await lapse()
    const next = leading(bea.lease, await bea.lease.step())
    const cursor = () => rows('SELECT * FROM chain_cursor')
    const before = await cursor()
    expect(await refused(old.gateway.send())).toBe(true)
    expect(await old.gateway.follow()).toBe(false)
    expect(await cursor()).toEqual(before)
    expect(await harness.transfers(id)).toEqual([])
    expect((await harness.finish(next.gateway, id))?.state).toBe('settled')
    expect(await harness.balance(to)).toBe(100n * USDT_UNIT)
    expect(await harness.transfers(id)).toHaveLength(1)
    expect(await ana.lease.step()).toBeNull()
  })

  it('may send again what was signed, which is the same transaction, and cannot note it', async () => {
    const [ana, bea] = [another(), another()]
    const old = leading(ana.lease, await ana.lease.step())
    const to = harness.newWallet()
    const id = await harness.approve(to, 101n * USDT_UNIT)
    await old.gateway.round()
    const [sent] = await harness.transfers(id)
    await lapse()
    const next = leading(bea.lease, await bea.lease.step())
    await harness.later()
    expect(await refused(old.gateway.send())).toBe(true)
    expect((await harness.transfers(id))[0]?.broadcasts).toBe(sent?.broadcasts)
    expect((await harness.finish(next.gateway, id))?.state).toBe('settled')
    expect(await harness.balance(to)).toBe(100n * USDT_UNIT)
  })

  it('in the middle of a transaction, commits it before the next one leads, or not at all', async () => {
    const [ana, bea] = [another(), another()]
    const old = leading(ana.lease, await ana.lease.step())
    const touch = sql`UPDATE chain_cursor SET seen_at = seen_at`
    const isWaiting = async () =>
      expect(
        await rows(
          "SELECT FROM pg_stat_activity WHERE query LIKE '%hold_gateway_lease%' AND wait_event_type = 'Lock'",
        ),
      ).toHaveLength(1)
    const taking = await inTransaction(old.db, async (tx) => {
      await touch.execute(tx)
      await lapse()
      const step = bea.lease.step()
      await vi.waitFor(isWaiting, SOON)
      // Its own lease it can still renew, waiting for nobody; the other one looks again.
      return { step, renewed: await ana.lease.step() }
    })
    expect(await taking.step).toBeNull()
    await lapse()
    const epoch = await bea.lease.step()
    expect(epoch).toBe((taking.renewed ?? 0n) + 1n)
    expect(await refused(touch.execute(old.db))).toBe(true)
  })
})

describe('the fence', () => {
  it('stands around everything that a gateway writes', async () => {
    const written = await rows<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND has_any_column_privilege('aval_gateway', c.oid, 'INSERT, UPDATE')
       UNION SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND has_table_privilege('aval_gateway', oid, 'DELETE')`,
    )
    const fenced = await rows<{ name: string }>(
      "SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE t.tgname = 'a_gateway_leads' AND NOT c.relispartition",
    )
    const names = fenced.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(written.map(({ name }) => name)))
    // Those that its functions write.
    expect(names).toEqual(
      expect.arrayContaining(['incoming_transfer', 'outgoing_transfer', 'custody_address', 'approval']),
    )
  })

  it('lets nobody through who names no term, once a gateway has led', async () => {
    await another().lease.step()
    const silent = connect(url, 1)
    opened.push(silent)
    expect(await refused(sql`UPDATE chain_cursor SET seen_at = seen_at`.execute(silent.db))).toBe(true)
  })

  it('lets a command that a person runs beside the leader write in the term that goes on', async () => {
    const { lease } = another()
    await lease.step()
    const asking = connect(url, 1)
    const beside = connect(underTerm(url, await presentTerm(asking.db)), 1)
    opened.push(asking, beside)
    await sql`UPDATE chain_cursor SET seen_at = seen_at`.execute(beside.db)
    await takeOfflineApprovals(beside.db)
  })

  it('concerns gateways alone', async () => {
    await another().lease.step()
    await rows('UPDATE chain_cursor SET seen_at = seen_at')
    expect((await rows('SELECT epoch > 0 AS led FROM gateway_lease'))[0]).toEqual({ led: true })
  })
})
