import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { testFolder as folder, postJson as post, TO, testDevnet } from '../testing.ts'
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
