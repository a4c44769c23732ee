import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectionState, connectionsOf, withoutWrites } from './testing/database-faults.ts'
import { addressOf, createIngestHarness } from './testing/ingest-harness.ts'
import { gatewaySuite, type StartedProcess } from './testing/process.ts'
import { ScriptedChain, ScriptedNode, tokenTransfer } from './testing/scripted-chain.ts'
import { suiteHarness } from './testing/suite.ts'

const harness = await suiteHarness(createIngestHarness)
let chain: ScriptedChain
let scripted: ScriptedNode
let served: Awaited<ReturnType<ScriptedNode['listen']>>

beforeEach(async () => {
  await harness.reset()
  chain = new ScriptedChain()
  scripted = new ScriptedNode(chain)
  served = await scripted.listen()
})
afterEach(() => served.close())

// Its hook comes before the one above: no gateway is left when what it asks is closed.
const startGateway = gatewaySuite(harness.database.gatewayUrl)
const start = (changes: Record<string, string> = {}) => startGateway({ DEVNET_URL: served.url, ...changes })

const ready = ({ messages }: StartedProcess) => expect.poll(() => messages).toEqual([{ ready: true }])
const logged = ({ output }: StartedProcess, event: string) =>
  expect.poll(output).toContain(`"event":"${event}"`)
const recorded = (count: number) => expect.poll(() => harness.recorded()).toHaveLength(count)
const connections = connectionsOf(harness.owner, 'aval gateway')
const connected = (state: ConnectionState) => expect.poll(connections.states).toContain(state)

describe('the gateway process', () => {
  it('reports that it is ready, follows the chain, and stops when asked to', async () => {
    const gateway = start()
    await ready(gateway)
    chain.mine(tokenTransfer(addressOf(1), 5n))
    await recorded(1)
    gateway.child.kill('SIGTERM')
    expect(await gateway.ended()).toBe(0)
    for (const line of gateway.output().trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ part: 'gateway', event: expect.any(String) })
    }
  })

  it('ends with its parent process', async () => {
    const gateway = start()
    await ready(gateway)
    // Node emits no 'close' for a child that was disconnected by hand.
    const exit = once(gateway.child, 'exit')
    gateway.child.disconnect()
    expect((await exit)[0]).toBe(0)
  })

  it('is ready before its node is, and finds the node when it comes', async () => {
    scripted.distort = () => 'starting'
    const gateway = start()
    await ready(gateway)
    chain.mine(tokenTransfer(addressOf(1), 5n))
    scripted.distort = () => undefined
    await recorded(1)
    await logged(gateway, 'ingest.failed')
  })

  it('works with two of three nodes', async () => {
    chain.mine(tokenTransfer(addressOf(1), 5n))
    const gateway = start({ TRON_NODES: `http://127.0.0.1:1,${served.url},${served.url}` })
    await recorded(1)
    await logged(gateway, 'node.failed')
  })

  it('waits for the installation to be set up', async () => {
    const [installation] = await harness.rows('DELETE FROM installation RETURNING *')
    const gateway = start()
    await logged(gateway, 'installation.waiting')
    expect(gateway.messages).toEqual([])
    expect(scripted.asked).toEqual([])
    await harness.rows(
      'INSERT INTO installation SELECT * FROM json_populate_record(null::installation, $1)',
      [installation],
    )
    await ready(gateway)
  })

  // Only a listener on every connection keeps a process alive that loses one.
  it('survives closed database connections: idle, in a query, and between two queries', async () => {
    const { owner } = harness
    const gateway = start()
    await ready(gateway)
    await expect.poll(() => connections.close('idle')).toBeGreaterThan(0)
    for (const table of ['incoming_transfer', 'chain_cursor']) {
      await withoutWrites(owner, table, async () => {
        chain.mine(tokenTransfer(addressOf(1), 5n))
        await expect.poll(() => connections.close('waiting')).toBe(1)
      })
      await withoutWrites(owner, table, async () => {
        chain.mine(tokenTransfer(addressOf(1), 5n))
        await connected('waiting')
        gateway.child.kill('SIGSTOP')
      })
      // The query is answered now, and the process sends no other.
      await expect.poll(() => connections.close('idle in transaction')).toBe(1)
      gateway.child.kill('SIGCONT')
    }
    await recorded(4)
    expect(gateway.child.exitCode).toBeNull()
    expect(gateway.output()).toContain('"kind":"database"')
  })

  /** Kills the gateway while it writes to a table, or as it sends that many requests to its node. */
  async function killAt(moment: string | number, { child }: StartedProcess): Promise<void> {
    if (typeof moment === 'string') {
      return withoutWrites(harness.owner, moment, async () => {
        await connected('waiting')
        child.kill('SIGKILL')
      })
    }
    scripted.distort = () => {
      if (scripted.asked.length >= moment) child.kill('SIGKILL')
    }
  }

  it('stands by while another one leads, and takes over from one that is paused, which writes no more', async () => {
    const first = start()
    await ready(first)
    const second = start()
    await ready(second)
    await logged(second, 'lease.standby')
    chain.mine(tokenTransfer(addressOf(1), 5n))
    await recorded(1)
    first.child.kill('SIGSTOP')
    chain.mine(tokenTransfer(addressOf(1), 5n))
    await harness.rows("UPDATE gateway_lease SET until = '-infinity'")
    await recorded(2)
    expect(second.output()).toContain('"event":"lease.taken"')
    first.child.kill('SIGCONT')
    await logged(first, 'lease.lost')
    chain.mine(tokenTransfer(addressOf(1), 5n))
    await recorded(3)
    // Stopped in order, it leaves the lease to the other one at once.
    second.child.kill('SIGTERM')
    expect(await second.ended()).toBe(0)
    chain.mine(tokenTransfer(addressOf(1), 5n))
    await recorded(4)
    expect(new Set(await harness.jobs()).size).toBe(4)
  })

  it('killed at ten moments, records every transfer once', async () => {
    const moments = [1, 'incoming_transfer', 3, 'chain_cursor', 6, 'incoming_transfer', 9, 12, 15, 18]
    for (const [killed, moment] of moments.entries()) {
      scripted.asked.length = 0
      chain.mine(tokenTransfer(addressOf(1), 5n), tokenTransfer(addressOf(2), 6n))
      chain.mineEmpty(2 * killed + 1)
      const gateway = start()
      await killAt(moment, gateway)
      expect(await gateway.ended()).toBe('SIGKILL')
      await expect.poll(connections.states).toEqual([])
      scripted.distort = () => undefined
    }
    const last = start()
    await recorded(2 * moments.length)
    expect(new Set(await harness.jobs()).size).toBe(2 * moments.length)
    last.child.kill('SIGTERM')
    expect(await last.ended()).toBe(0)
  })
})

describe('the gateway refuses to start', () => {
  it('on a database of another network', async () => {
    const gateway = start({
      TRON_NETWORK: 'nile',
      TRON_NODES: served.url,
      TRON_HOT_ADDRESS: addressOf(1),
      TRON_COLD_ADDRESS: addressOf(2),
    })
    expect(await gateway.ended()).toBe(1)
    expect(gateway.messages).toEqual([{ fatal: expect.stringContaining('set up for devnet') }])
    expect(await harness.cursor()).toBeNull()
  })

  it('with other wallets than the database was set up with', async () => {
    await harness.rows("INSERT INTO custody_address (address, role, opening) VALUES ($1, 'cold', 0)", [
      addressOf(3),
    ])
    const gateway = start()
    expect(await gateway.ended()).toBe(1)
    expect(gateway.messages).toEqual([{ fatal: expect.stringContaining(`was set up with ${addressOf(3)}`) }])
  })
})
