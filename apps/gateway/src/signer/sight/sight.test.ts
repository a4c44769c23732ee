/** Nodes that a test makes up: what they say of a transfer that was signed before, and what the signer makes of it. */
import {
  DEVNET,
  devnetAddress,
  encodeAddressWord,
  encodeUintWord,
  GENESIS_BLOCKS,
  type NodeClient,
  NodeError,
  type NodeErrorCode,
  type Receipt,
  TRANSFER_TOPIC,
  USDT_CONTRACTS,
} from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../core/log.ts'
import { createJournal } from '../journal/journal.ts'
import type { OwnChain } from '../policy.rules.ts'
import { IDENTITY, openMemoryJournal } from '../testing/journals.ts'
import { createSight } from './sight.ts'

const HOT = devnetAddress('hotWallet')
const MAINNET = { network: 'mainnet', usdt: USDT_CONTRACTS.mainnet, hot: HOT }
const TXID = 'a1'.repeat(32)
const NOW = Date.UTC(2030, 0, 1, 12)
const EXPIRES = NOW - 60_000
const EARLIER = { txid: TXID, expires: EXPIRES }

const blockAt = (number: number, fork = '0') => ({
  number,
  id: number.toString(16).padStart(16, '0') + fork.repeat(48),
  parentId: 'f'.repeat(64),
  // Block 1,000 is that of the expiration.
  timestamp: new Date(EXPIRES + (number - 1_000) * 3_000),
})
const receipt = (changes: Partial<Receipt> = {}): Receipt => ({
  txid: TXID,
  blockNumber: 990,
  timestamp: new Date(0),
  success: true,
  result: 'SUCCESS',
  fee: 0n,
  energyUsed: 0,
  logs: [
    {
      contract: USDT_CONTRACTS.mainnet,
      topics: [TRANSFER_TOPIC, encodeAddressWord(HOT), encodeAddressWord(devnetAddress('faucet'))],
      data: encodeUintWord(5n),
      index: 0,
    },
  ],
  ...changes,
})
const failing = receipt({ success: false, result: 'OUT_OF_ENERGY', logs: [] })
const fails = (code: NodeErrorCode) => async () => {
  throw new NodeError(code, '/walletsolidity/getblock', 'a made-up node')
}

type Made = Partial<NodeClient> & { readonly solid?: number; readonly fork?: string; readonly has?: Receipt }
/** Of the main network, with a solid block past the expiration, and without the transfer. */
function node({ solid = 1_010, fork = '0', has, ...changes }: Made = {}): NodeClient {
  return {
    genesis: async () => GENESIS_BLOCKS.mainnet,
    hasContract: async () => true,
    constantCall: async () => ({ result: encodeUintWord(6n), energyUsed: 0 }),
    solidBlock: async () => blockAt(solid, fork),
    blockHeader: async (number: number) => blockAt(number, fork),
    receipt: async () => has ?? null,
    hasTransaction: async () => has !== undefined,
    ...changes,
  } as NodeClient
}

const chainOf = (nodes: readonly NodeClient[], quorum = 2): OwnChain => ({
  nodes: nodes.map((_, place) => ({
    url: `https://node-${place}.example/secret`,
    headers: { key: 'secret' },
  })),
  quorum,
})

async function seeing(nodes: readonly NodeClient[], { quorum = 2, keys = MAINNET } = {}) {
  const { journal, kept, storage } = await openMemoryJournal()
  const logged: string[] = []
  let time = NOW
  const context = {
    keys,
    policy: () => ({ chain: nodes.length === 0 ? undefined : chainOf(nodes, quorum) }),
    devnetUrl: null,
    journal,
    log: createLog((line) => logged.push(line)),
    now: () => new Date(time),
    connect: ({ url }: { readonly url: string }) => nodes[Number(/\d/.exec(url)?.[0])] as NodeClient,
  }
  const sight = createSight(context)
  const code = () => sight.refusalOf([EARLIER])?.code ?? 'seen'
  return {
    journal,
    kept,
    storage,
    logged,
    context,
    code,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    step: () => sight.step(),
    /** What is answered once it was read. */
    async seen() {
      expect(code()).toBe(nodes.length === 0 ? 'nodes_missing' : 'earlier_transfer_unread')
      await sight.step()
      return code()
    },
  }
}

const lagging = () => node({ solid: 1_000 })
const arrived = () => node({ has: receipt() })

describe('that a transfer can arrive no more', () => {
  it.each<[string, NodeClient[]]>([
    ['two nodes that do not have it, past its expiration', [node(), node({ solid: 1_020 })]],
    ['two nodes that have it as failed', [node({ has: failing }), node({ has: failing })]],
    [
      'a success without the token’s own event',
      [node({ has: receipt({ logs: [] }) }), node({ has: receipt({ logs: [] }) })],
    ],
    ['two of three, while the third is away', [node(), node(), node({ solidBlock: fails('timeout') })]],
    ['two of three, while the third lags', [lagging(), node(), node()]],
  ])('is shown by %s', async (_what, nodes) => {
    expect(await (await seeing(nodes)).seen()).toBe('seen')
  })

  it.each<[string, string, NodeClient[]]>([
    ['it arrived', 'earlier_transfer_arrived', [arrived(), arrived()]],
    [
      'it arrived, by the only one that answers',
      'earlier_transfer_arrived',
      [arrived(), node({ genesis: fails('timeout') })],
    ],
    ['one says arrived, the other nothing of it', 'nodes_disagree', [arrived(), node()]],
    ['two lie together, and the third has it', 'nodes_disagree', [node(), node(), arrived()]],
    [
      'two lie together, and the third, which lags, has it',
      'nodes_disagree',
      [node(), node(), node({ solid: 995, has: receipt() })],
    ],
    ['one says failed, the other that it is absent', 'nodes_disagree', [node({ has: failing }), node()]],
    [
      'both have it as failed, in two blocks',
      'nodes_disagree',
      [node({ has: failing }), node({ has: { ...failing, blockNumber: 991 } })],
    ],
    ['they are on two histories', 'nodes_disagree', [node(), node({ fork: '1' })]],
    ['both lag', 'nodes_lag', [lagging(), lagging()]],
    ['one lags', 'nodes_lag', [node(), lagging()]],
    ['one does not answer', 'nodes_away', [node(), node({ receipt: fails('timeout') })]],
    [
      'both are gone',
      'nodes_away',
      [node({ genesis: fails('unreachable') }), node({ genesis: fails('unreachable') })],
    ],
    ['one refuses the key', 'nodes_refuse_key', [node(), node({ solidBlock: fails('key_refused') })]],
    ['one is asked too often', 'nodes_limit_us', [node(), node({ hasTransaction: fails('rate_limited') })]],
    [
      'one answers garbage',
      'nodes_unreadable',
      [node(), node({ blockHeader: fails('bad_answer'), solid: 1_020 })],
    ],
    [
      'one has the transaction without its receipt',
      'nodes_unreadable',
      [node(), node({ hasTransaction: async () => true })],
    ],
    [
      'one is of another network',
      'nodes_of_other_network',
      [node(), node({ genesis: async () => GENESIS_BLOCKS.nile })],
    ],
    [
      'one does not have the token',
      'nodes_of_other_network',
      [node(), node({ hasContract: async () => false })],
    ],
    ['the key file names none', 'nodes_missing', []],
  ])('is not shown where %s: %s', async (_what, code, nodes) => {
    const { seen, kept } = await seeing(nodes)
    expect(await seen()).toBe(code)
    expect(kept.text).not.toContain('"ended"')
  })
})

it('what each node said and when is in the journal, and is remembered after a restart; no secret is written down', async () => {
  const { seen, kept, storage, logged, journal } = await seeing([node(), node()])
  expect(await seen()).toBe('seen')
  const lines = (kept.text ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const said = { at: NOW, block: 1_010, id: blockAt(1_010).id, time: EXPIRES + 30_000, said: 'absent' }
  expect(lines.at(-1)).toMatchObject({
    kind: 'ended',
    txid: TXID,
    end: 'absent',
    genesis: GENESIS_BLOCKS.mainnet,
    nodes: [
      { node: 'node-0.example', ...said },
      { node: 'node-1.example', ...said },
    ],
  })
  const again = createJournal(storage)
  expect(await again.open(journal.head(), IDENTITY, NOW)).toBeNull()
  expect(again.memory.hasEnded(TXID)).toBe(true)
  for (const text of [kept.text, ...logged]) expect(text).not.toContain('secret')
})

it('a node that is away is asked again after a pause that doubles, and only while somebody asks', async () => {
  let asked = 0
  const away = node({
    genesis: () => {
      asked += 1
      return fails('timeout')()
    },
  })
  const { seen, code, pass, step } = await seeing([away, node()])
  expect(await seen()).toBe('nodes_away')
  await step()
  expect(asked).toBe(1)
  pass(2_000)
  await step()
  expect(asked).toBe(1)
  expect(code()).toBe('nodes_away')
  await step()
  expect(asked).toBe(2)
  pass(2_000)
  expect(code()).toBe('nodes_away')
  await step()
  expect(asked).toBe(2)
})

it('where the journal cannot be written nothing counts as seen: nothing at all is signed', async () => {
  const { kept, seen, logged, journal } = await seeing([node(), node()])
  kept.fails = true
  await seen()
  expect(logged.join()).toContain('the disk is full')
  expect(journal.fault()).toBe('journal_unwritable')
})

it('on the development chain one node is enough, and the first block that was met is the only one', async () => {
  const keys = { network: 'devnet', usdt: DEVNET.usdt, hot: HOT }
  const met = { genesis: async () => 'd'.repeat(64) }
  const { seen, journal } = await seeing([node(met)], { quorum: 1, keys })
  expect(await seen()).toBe('seen')
  expect(journal.memory.genesis()).toBe('d'.repeat(64))
})
