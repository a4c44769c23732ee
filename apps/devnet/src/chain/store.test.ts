import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Devnet } from '../start.ts'
import { testFolder as folder, NOON, postJson as post, TO, testDevnet } from '../testing.ts'
import { Store, StoreError } from './store.ts'

const MAIN = new URL('../main.ts', import.meta.url)

function launch(dataDir: string, env: Record<string, string> = {}): ChildProcess {
  return fork(MAIN, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    silent: true,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DEVNET_PORT: '0',
      DEVNET_BLOCK_MS: '0',
      DEVNET_SOLID_LAG: '3',
      ...env,
    },
  })
}

async function ready(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, 'message')) as [{ ready: boolean; url: string }]
  expect(message.ready).toBe(true)
  return message.url
}

async function collect(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, errors }
}

async function ends(child: ChildProcess, because: () => void): Promise<void> {
  const exited = once(child, 'exit')
  because()
  expect(await exited).toEqual([0, null])
}

describe('the chain on disk', () => {
  it('is the same chain when it is opened again: head, balances, what waits, the clock', async () => {
    const dataDir = folder()
    const first = await testDevnet({ dataDir })
    await first.post('/dev/pay', { to: TO, amount: '5' })
    await first.mine(4)
    await first.post('/dev/clock', { offset_ms: 1_000 })
    const { txid } = await first.post('/dev/pay', { to: TO, amount: '6' })
    const head = first.chain.head()
    await first.close()

    const second = await testDevnet({ dataDir })
    expect(second.chain.head()).toEqual(head)
    expect(second.chain.offsetMs).toBe(1_000)
    await second.mine()
    expect(second.chain.ledger.transaction(String(txid))).toMatchObject({
      result: 'SUCCESS',
      block: head.number + 1,
    })
    await second.close()
  })

  it('begins with the same first block everywhere', async () => {
    const [one, other] = [await testDevnet(), await testDevnet({ now: () => 1, genesisOffsetMs: 5 })]
    expect(one.chain.ledger.block(0)).toEqual(other.chain.ledger.block(0))
    await one.close()
    await other.close()
  })

  it('is refused to a second program and to one that is older than it, in one sentence', () => {
    const dataDir = folder()
    const store = new Store(dataDir)
    expect(() => new Store(dataDir)).toThrow(StoreError)
    store.close()
    const db = new DatabaseSync(join(dataDir, 'devnet', 'chain.sqlite'))
    db.exec('pragma user_version = 99')
    db.close()
    expect(() => new Store(dataDir)).toThrow('has version 99')
  })
})

describe('a chain that idles', () => {
  it('writes less than half a megabyte a day, and answers for every block as before, opened again too', async () => {
    const dataDir = folder()
    let now = NOON
    // Timers come late by some milliseconds.
    const tick = () => {
      now += 1_000 + ((now * 7) % 5)
      return now
    }
    const first = await testDevnet({ dataDir, now: tick })
    await first.mine(700)
    const { txid } = await first.post('/dev/pay', { to: TO, amount: '5' })
    await first.mine(1)
    now += 90 * 86_400_000
    await first.mine(3_300)
    const numbers = [0, 1, 2, 700, 701, 702, 703, 999, 1_000, 1_001, 1_002, 2_500, 4_001]
    const answers = (devnet: Devnet) => numbers.map((number) => devnet.chain.ledger.block(number))
    const before = answers(first)
    expect(before.filter((block) => block === null)).toEqual([])
    await first.mine(12_000)
    expect(answers(first)).toEqual(before)
    const written = () => {
      first.chain.ledger.store.run('pragma wal_checkpoint(truncate)')
      return statSync(join(dataDir, 'devnet', 'chain.sqlite')).size
    }
    const size = written()
    await first.mine(86_400)
    expect(written() - size).toBeLessThan(500_000)
    await first.close()

    const second = await testDevnet({ dataDir, now: tick })
    expect(answers(second)).toEqual(before)
    const { block } = second.chain.ledger.transaction(String(txid)) ?? { block: 0 }
    expect(second.chain.ledger.block(block)?.txCount).toBe(1)
    for (let number = 1; number < 5_000; number += 1)
      if (second.chain.ledger.block(number)?.parentId !== second.chain.ledger.block(number - 1)?.id)
        expect.fail(`a gap at block ${number}`)
    const byId = await second.post('/wallet/getblockbyid', { value: before[4]?.id })
    expect(byId['blockID']).toBe(before[4]?.id)
    await second.close()
  })
})

describe('a full disk', () => {
  /** SQLite's own limit of a file, which answers as a full disk does. */
  const fill = ({ chain }: Devnet) => chain.ledger.store.all(z.unknown(), 'pragma max_page_count = 1')
  const empty = ({ chain }: Devnet) => chain.ledger.store.all(z.unknown(), 'pragma max_page_count = 100000')

  it('refuses what writes, with a sentence, answers what reads, and goes on once there is room', async () => {
    const devnet = await testDevnet({ dataDir: folder() })
    await devnet.post('/dev/pay', { to: TO, amount: '5' })
    await devnet.mine()
    fill(devnet)
    const refused = await Promise.all(
      Array.from({ length: 40 }, (_, n) => devnet.post('/dev/pay', { to: TO, amount: '1', key: `k${n}` })),
    )
    expect(refused.at(-1)).toEqual({ error: 'the disk is full; nothing was changed' })
    expect(await devnet.wallet.usdtOf(TO)).toBe(5_000_000n)
    expect((await devnet.post('/wallet/getnowblock'))['blockID']).toBe(devnet.chain.head().id)
    empty(devnet)
    await devnet.mine()
    await devnet.post('/dev/pay', { to: TO, amount: '7' })
    await devnet.mine()
    const paid = 5 + 7 + refused.filter(({ txid }) => txid !== undefined).length
    expect(await devnet.wallet.usdtOf(TO)).toBe(BigInt(paid) * 1_000_000n)
    await devnet.close()
  })

  it('stops the making of blocks for as long as it lasts, and does not end the chain', async () => {
    const devnet = await testDevnet({ dataDir: folder(), blockMs: 1, now: () => Date.now() })
    fill(devnet)
    let stands = -1
    await vi.waitFor(
      () => {
        const { number } = devnet.chain.head()
        const isSame = number === stands
        stands = number
        if (!isSame) throw new Error('it grows')
      },
      { timeout: 240_000, interval: 300 },
    )
    empty(devnet)
    await vi.waitFor(() => expect(devnet.chain.head().number).toBeGreaterThan(stands), { timeout: 240_000 })
    await devnet.close()
  })
})

describe('the program', () => {
  it('killed at random instants keeps every payment it confirmed, each once', async () => {
    const dataDir = folder()
    const txids: string[] = []
    for (let round = 0; round < 6; round += 1) {
      const child = launch(dataDir)
      const url = await ready(child)
      for (let index = 0; index <= round; index += 1) {
        const { txid } = await post(`${url}/dev/pay`, { to: TO, amount: '1', key: `${round}-${index}` })
        txids.push(String(txid))
      }
      const mining = post(`${url}/dev/mine`, { blocks: 3_000 }).catch(() => null)
      // The kill falls somewhere into the mining: later in every round.
      for (let probe = 0; probe < round * 3; probe += 1) await post(`${url}/wallet/getblock`, {})
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await Promise.all([exited, mining])
    }
    const devnet = await testDevnet({ dataDir })
    await devnet.mine()
    const { ledger } = devnet.chain
    expect(new Set(txids).size).toBe(21)
    for (const txid of txids) expect(ledger.transaction(txid)?.result).toBe('SUCCESS')
    expect(await devnet.wallet.usdtOf(TO)).toBe(21_000_000n)
    const head = ledger.head()?.number ?? 0
    for (let number = 1; number <= head; number += 1) {
      if (ledger.block(number)?.parentId !== ledger.block(number - 1)?.id)
        expect.fail(`a gap at block ${number}`)
    }
    await devnet.close()
  })

  it('listens at as many ports as configured, each a node of the same chain, and ends cleanly on SIGTERM', async () => {
    const child = launch(folder(), { DEVNET_NODES: '2' })
    const [message] = (await once(child, 'message')) as [{ url: string; urls: string[] }]
    expect(message.urls).toHaveLength(2)
    expect(message.urls[0]).toBe(message.url)
    const [first, second] = message.urls.map((url) => `${url}/dev`)
    await post(`${second}/node-fault`, { kind: 'lag', blocks: 1 })
    await post(`${first}/mine`, { blocks: 3 })
    const numbers = message.urls.map(async (url) => {
      const block = await post(`${url}/wallet/getblock`, {})
      return block['block_header'] as { raw_data: { number: number } }
    })
    expect((await Promise.all(numbers)).map(({ raw_data }) => raw_data.number)).toEqual([4, 3])
    await ends(child, () => child.kill('SIGTERM'))
  })

  it('says in one line that its port is in use, or that a value is wrong', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = String((server.address() as AddressInfo).port)
    expect(await collect(launch(folder(), { DEVNET_PORT: port }))).toEqual({
      code: 1,
      errors: `devnet: port ${port} is in use; set DEVNET_PORT to another\n`,
    })
    server.close()

    const wrong = await collect(launch(folder(), { DEVNET_SOLID_LAG: 'many' }))
    expect(wrong.code).toBe(1)
    expect(wrong.errors).toMatch(/^devnet: the configuration is wrong\nDEVNET_SOLID_LAG: [^\n]+\n$/)
  })

  it('says in one line that its folder is in use, and ends cleanly on SIGINT or when its parent goes away', async () => {
    const dataDir = folder()
    const running = launch(dataDir)
    await ready(running)
    const second = await collect(launch(dataDir))
    expect(second.code).toBe(1)
    expect(second.errors).toMatch(/^devnet: another development chain is using [^\n]+\n$/)
    await ends(running, () => running.kill('SIGINT'))
    const next = launch(dataDir)
    await ready(next)
    await ends(next, () => next.disconnect())
  })
})
