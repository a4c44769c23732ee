import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { payment } from './testing/forge.ts'
import { createHarness, type Harness, our } from './testing/harness.ts'
import { ScriptedChain } from './testing/scripted-chain.ts'
import { type ScriptedNode, startScriptedNode } from './testing/scripted-node.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

let harness: Harness
let chain: ScriptedChain
let scripted: ScriptedNode
const running = new Set<ChildProcess>()

beforeAll(async () => {
  harness = await createHarness(inject('ownerUrl'))
})
afterAll(() => harness.close())
beforeEach(async () => {
  await harness.forget()
  chain = new ScriptedChain()
  scripted = await startScriptedNode(chain)
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  await scripted.close()
})

interface Gateway {
  readonly child: ChildProcess
  readonly told: unknown[]
  readonly output: string[]
  /** Waits for the end; the exit code, or the signal. */
  ended(): Promise<number | string | null>
}

function start(changes: Record<string, string> = {}): Gateway {
  const env = {
    DATABASE_URL: harness.database.gatewayUrl,
    TRON_NETWORK: 'devnet',
    DEVNET_URL: scripted.url,
    POLL_MS: '20',
    ...changes,
  }
  const child = fork(MAIN, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  running.add(child)
  const told: unknown[] = []
  const output: string[] = []
  child.on('message', (message) => told.push(message))
  child.stdout?.on('data', (text) => output.push(String(text)))
  child.stderr?.on('data', (text) => output.push(String(text)))
  const end = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null)
  return { child, told, output, ended: () => end }
}

async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it did not come to pass')
    await sleep(10)
  }
}

const ready = (gateway: Gateway) => until(() => JSON.stringify(gateway.told) === '[{"ready":true}]')
const recorded = async (count: number) => until(async () => (await harness.recorded()).length === count)

describe('the gateway process', () => {
  it('says that it is ready, follows the chain, and stops when asked to', async () => {
    const gateway = start()
    await ready(gateway)
    chain.mine(payment(our(1), 5n))
    await recorded(1)
    gateway.child.kill('SIGTERM')
    expect(await gateway.ended()).toBe(0)
    for (const line of gateway.output.join('').trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ part: 'gateway', level: 'info' })
    }
  })

  it('ends with the process that started it', async () => {
    const gateway = start()
    await ready(gateway)
    // Node tells no 'close' of a child whose line was cut by hand.
    const exit = once(gateway.child, 'exit')
    gateway.child.disconnect()
    expect((await exit)[0]).toBe(0)
  })

  it('is ready before its node is, and finds the node when it comes', async () => {
    scripted.distort = () => 'starting'
    const gateway = start()
    await ready(gateway)
    chain.mine(payment(our(1), 5n))
    scripted.distort = () => undefined
    await recorded(1)
    expect(gateway.output.join('')).toContain('"event":"follow.failed"')
  })

  it('goes to the next node when one fails', async () => {
    chain.mine(payment(our(1), 5n))
    start({ TRON_NODES: `http://127.0.0.1:1,${scripted.url}` })
    await recorded(1)
  })

  it('waits for the installation to be set up', async () => {
    const { rows } = await harness.owner.query('DELETE FROM installation RETURNING *')
    const gateway = start()
    await sleep(400)
    expect(gateway.told).toEqual([])
    const { network, usdt_contract, deposit_xpub } = rows[0]
    await harness.owner.query(
      'INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ($1, $2, $3)',
      [network, usdt_contract, deposit_xpub],
    )
    await ready(gateway)
  })

  it('lives on when the database cuts all its connections', async () => {
    const gateway = start()
    await ready(gateway)
    for (let cuts = 1; cuts <= 15; cuts += 1) {
      chain.mine(payment(our(1), 5n))
      await harness.owner.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'aval gateway'",
      )
      await sleep(cuts * 3)
    }
    await recorded(15)
    expect(gateway.child.exitCode).toBeNull()
  })

  it('killed at twenty moments, records every payment once', async () => {
    for (let kills = 1; kills <= 20; kills += 1) {
      const gateway = start()
      const dead = gateway.ended()
      chain.mine(payment(our(1), 5n), payment(our(2), 6n))
      chain.mineEmpty(kills)
      // The process needs some 300 ms to come up; the moments spread over what follows.
      await sleep(150 + kills * 18)
      gateway.child.kill('SIGKILL')
      await dead
    }
    const last = start()
    await recorded(40)
    expect(new Set(await harness.jobs()).size).toBe(40)
    last.child.kill('SIGTERM')
    expect(await last.ended()).toBe(0)
  })
})

describe('the gateway refuses to start', () => {
  it('on a database of another network', async () => {
    const gateway = start({ TRON_NETWORK: 'nile', TRON_NODES: scripted.url })
    expect(await gateway.ended()).toBe(1)
    expect(gateway.told).toEqual([{ fatal: expect.stringContaining('set up for devnet') }])
    expect(await harness.cursor()).toBeNull()
  })

  it('with a broken environment, telling all of it', async () => {
    const gateway = start({ DATABASE_URL: '', TRON_NETWORK: 'moon' })
    expect(await gateway.ended()).toBe(1)
    expect(gateway.told).toEqual([
      { fatal: expect.stringMatching(/^DATABASE_URL is missing/) },
      { fatal: expect.stringMatching(/^TRON_NETWORK must be/) },
      { fatal: expect.stringMatching(/^TRON_NODES is missing/) },
    ])
    expect(gateway.output.join('').trim().split('\n')).toHaveLength(3)
  })
})
