/** Nodes of another network, and providers that want a key or patience: real gateways in front of real HTTP servers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Devnet, startDevnet } from '@aval/devnet'
import { DEVNET, USDT_CONTRACTS } from '@aval/tron'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addressOf, createIngestHarness } from './testing/ingest-harness.ts'
import { gatewaySuite, type StartedProcess } from './testing/process.ts'
import { suiteHarness } from './testing/suite.ts'

const harness = await suiteHarness(createIngestHarness)
const devnet = await startDevnet({ memory: true, solidLag: 0 })
const other = await startDevnet({ memory: true, solidLag: 0 })
afterAll(async () => {
  await Promise.all([devnet.close(), other.close()])
})

const OTHER_GENESIS = `${'0'.repeat(16)}${'ab'.repeat(24)}`
type Reply = readonly [status: number, body: string, headers?: Readonly<Record<string, string>>]

/** A provider in front of a chain: it may refuse, and may show a chain under another first block. */
async function startFront(chain: Devnet) {
  const front = {
    chain,
    isOther: false,
    refuse: null as Reply | null,
    keys: [] as unknown[],
    asked: [] as string[],
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    front.asked.push(request.url ?? '')
    front.keys.push(request.headers['tron-pro-api-key'])
    if (front.refuse !== null) {
      const [status, refusal, headers = {}] = front.refuse
      return response.writeHead(status, headers).end(refusal)
    }
    const answer = await fetch(front.chain.url + request.url, { method: 'POST', body })
    const plain = await answer.text()
    const isFirst = front.isOther && body.includes('"id_or_num":"0"')
    response.end(isFirst ? plain.replace(/"blockID":"[0-9a-f]+"/, `"blockID":"${OTHER_GENESIS}"`) : plain)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return Object.assign(front, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close })
}

let fronts: Awaited<ReturnType<typeof startFront>>[] = []
const pinned = (network: string, usdt: string) =>
  harness.rows('UPDATE installation SET network = $1, usdt_contract = $2', [network, usdt])

beforeEach(async () => {
  await harness.reset()
  await harness.rows('DELETE FROM custody_reading')
  before = await contents()
  fronts = [await startFront(devnet), await startFront(devnet), await startFront(devnet)]
})
afterEach(async () => {
  for (const front of fronts) await front.close()
  await pinned('devnet', DEVNET.usdt)
})

// Its hook comes before the one above: no gateway is left when what it asks is closed.
const startGateway = gatewaySuite(harness.database.gatewayUrl)

function start(nodes: number, changes: Record<string, string> = {}): StartedProcess {
  const urls = fronts.slice(0, nodes).map(({ url }) => url)
  return startGateway({ TRON_NODES: urls.join(','), ...changes })
}

const SOON = { timeout: 240_000, interval: 25 }
const standings = () =>
  harness.rows<{ state: string; detail: string }>(
    'SELECT state, detail, calls::int FROM gateway_node ORDER BY place',
  )
const becomes = (...states: string[]) =>
  expect.poll(async () => (await standings()).map(({ state }) => state)).toEqual(states)
const count = async (table: string) =>
  Number((await harness.rows(`SELECT count(*) FROM ${table}`))[0]?.['count'])
const linesOf = (gateway: StartedProcess, event: string) =>
  gateway.output().split(`"event":"${event}"`).length - 1
const TABLES = [
  'chain_cursor',
  'custody_address',
  'custody_reading',
  'incoming_transfer',
  'unconfirmed_transfer',
]
const contents = () =>
  Promise.all(TABLES.map((table) => harness.rows(`SELECT * FROM ${table} ORDER BY 1, 2`)))
/** Nothing of a chain that is not ours is in the database. */
const wroteNothing = async () => expect(await contents()).toEqual(before)
let before: Awaited<ReturnType<typeof contents>> = []

describe('a node of another network', () => {
  it('is not read where its first block is another: our development node is not Nile', async () => {
    await pinned('nile', USDT_CONTRACTS.nile)
    const gateway = start(1, {
      TRON_NETWORK: 'nile',
      TRON_HOT_ADDRESS: addressOf(1),
      TRON_COLD_ADDRESS: addressOf(2),
    })
    await becomes('other_network')
    expect(gateway.messages).toEqual([{ ready: true }])
    expect((await standings())[0]?.detail).toMatch(
      /its first block is 0{16}[0-9a-f]+, that of nile is 0{16}d698d4192c56/,
    )
    expect(fronts[0]?.asked).toEqual(['/wallet/getblock'])
    expect(linesOf(gateway, 'node.other_network')).toBe(1)
    expect(linesOf(gateway, 'ingest.failed')).toBe(0)
    await wroteNothing()
  })

  it('is not read where the token is not there, and its first block is not taken for ours', async () => {
    await pinned('devnet', addressOf(3))
    start(1)
    await becomes('other_network')
    expect((await standings())[0]?.detail).toBe(`it has no contract ${addressOf(3)}`)
    await wroteNothing()
    expect(await count('chain_genesis')).toBe(0)
  })

  it('is left out and named where enough others are ours; of two, one is not enough', async () => {
    await harness.rows('INSERT INTO chain_genesis VALUES ($1, $2)', [
      'devnet',
      devnet.chain.ledger.block(0)?.id,
    ])
    Object.assign(fronts[1] ?? {}, { chain: other, isOther: true })
    const two = start(2)
    await becomes('ok', 'other_network')
    await wroteNothing()
    two.child.kill('SIGKILL')
    await two.ended()
    start(3)
    await becomes('ok', 'other_network', 'ok')
    await devnet.wallet.pay('demoWallet', addressOf(1), 5n)
    await devnet.mine()
    await expect.poll(() => harness.recorded()).toHaveLength(1)
  })

  it.each([
    ['a lower', 3],
    ['a higher', 400],
  ])(
    'that took the place of ours at its address while the gateway runs, at %s block, is found before anything of it is written',
    async (_name, blocks) => {
      await devnet.mine(5)
      const gateway = start(1)
      await expect.poll(() => count('custody_reading')).toBeGreaterThan(0)
      // Once read to its end a quiet chain writes nothing but when it was seen, and balances every fifteen seconds.
      const quiet = () => harness.rows('SELECT scanned_block, head_block, solid_block FROM chain_cursor')
      const readings = () =>
        harness.rows('SELECT address, usdt, to_block FROM custody_reading ORDER BY address')
      const known = [await quiet(), await readings(), await harness.recorded()]
      while (other.chain.head().number < blocks) await other.mine()
      await other.wallet.pay('demoWallet', addressOf(1), 7n)
      await other.mine()
      Object.assign(fronts[0] ?? {}, { chain: other, isOther: true })
      await becomes('other_network')
      expect(linesOf(gateway, 'node.other_network')).toBe(1)
      expect([await quiet(), await readings(), await harness.recorded()]).toEqual(known)
      expect(await harness.unconfirmed()).toEqual([])
    },
  )
})

describe('a provider', () => {
  const API_KEY = 'c0ffee00-1234-secret'

  it('that knows our key is given it with every call, and its calls are counted', async () => {
    const gateway = start(1, { TRON_API_KEYS: API_KEY, TRON_CALLS_PER_DAY: '5000' })
    await expect.poll(() => harness.cursor()).not.toBeNull()
    expect(new Set(fronts[0]?.keys)).toEqual(new Set([API_KEY]))
    expect(gateway.output()).not.toContain(API_KEY)
    await expect.poll(async () => (await standings())[0]).toMatchObject({ state: 'ok' })
  })

  const FREQUENCY =
    '{"Success":false,"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 30s"}'
  it.each<[string, string, Reply]>([
    ['does not know our key', 'key_refused', [401, `{"Error":"no such key ${API_KEY}"}`]],
    ['wants a key', 'key_refused', [403, 'Forbidden']],
    ['wants to be asked later', 'rate_limited', [429, 'slow down', { 'retry-after': '60' }]],
    ['says so in TronGrid’s words', 'rate_limited', [403, FREQUENCY]],
  ])(
    'that %s is told apart from a dead node: it is asked once and left alone, and this is said once',
    async (_name, state, refuse) => {
      Object.assign(fronts[0] ?? {}, { refuse })
      const gateway = start(1, { TRON_API_KEYS: API_KEY })
      await becomes(state)
      const asked = fronts[0]?.asked.length
      expect(asked).toBe(1)
      // Another look at the nodes is over a second later: by then a loop would have asked again and again.
      await expect
        .poll(() => harness.rows("SELECT FROM gateway_lease WHERE until > now() + interval '13 s'"), SOON)
        .not.toEqual([])
      expect(fronts[0]?.asked.length).toBe(asked)
      expect(linesOf(gateway, `node.${state}`)).toBe(1)
      for (const event of ['node.failed', 'ingest.failed']) expect(linesOf(gateway, event)).toBe(0)
      expect(gateway.output()).not.toContain(API_KEY)
      expect(JSON.stringify(await standings())).not.toContain(API_KEY)
      await wroteNothing()
    },
  )

  it('whose budget is spent is asked no more today; what was asked before a restart counts', async () => {
    await harness.rows(
      `INSERT INTO gateway_node VALUES (0, $1, 'ok', '', now(), (now() AT TIME ZONE 'UTC')::date, 99999, 100000, now())`,
      [new URL(fronts[0]?.url ?? '').host],
    )
    start(1, { TRON_CALLS_PER_DAY: '100000' })
    await becomes('over_budget')
    expect(fronts[0]?.asked).toHaveLength(1)
  })
})
