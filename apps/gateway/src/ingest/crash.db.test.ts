import { createNodeClient, type NodeClient } from '@aval/tron'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { nodesOf } from '../chain/nodes.ts'
import {
  Crashed,
  type CrashPoint,
  crashingDatabase,
  crashingPort,
  createLifetime,
} from '../testing/crashes.ts'
import {
  addressOf,
  createIngestHarness,
  type IngestHarness,
  type Recorded,
} from '../testing/ingest-harness.ts'
import { ScriptedChain } from '../testing/scripted-chain.ts'
import { type ScriptedNode, startScriptedNode } from '../testing/scripted-node.ts'
import {
  assetTransfer,
  call,
  failedTransfer,
  OTHER_TOKEN,
  type ScriptedTransaction,
  someAddress,
  tokenTransfer,
  transferLog,
} from '../testing/scripted-transactions.ts'

/** One story, lived through by a gateway that dies at every possible moment of it. */
const chain = new ScriptedChain()
/** What must be recorded in the end, written down while the story is made up, not by the code under test. */
const expected: Omit<Recorded, 'member'>[] = []
/** The solid chain ends here at each of the looks. */
const STAGES = [2, 5, 9]

function tell(
  transaction: ScriptedTransaction,
  ...outcomes: [position: number, verdict: string, value: bigint][]
) {
  const { number } = chain.mine(transaction, tokenTransfer(someAddress(500 + expected.length), 1n))
  for (const [position, verdict, value] of outcomes) {
    expected.push({ txid: transaction.txid, position, verdict, value: String(value), block: number })
  }
}

tell(tokenTransfer(addressOf(1), 1_005_000_000n), [0, 'credit', 1_005_000_000n])
chain.mineEmpty(1)
tell(failedTransfer(addressOf(2), 7n), [-1, 'failed', 7n])
tell(
  call({
    logs: [transferLog(addressOf(3), 8n), transferLog(addressOf(4), 9n), transferLog(addressOf(3), 8n)],
  }),
  [0, 'credit', 8n],
  [1, 'credit', 9n],
  [2, 'credit', 8n],
)
tell(tokenTransfer(addressOf(5), 6n, { contract: OTHER_TOKEN }), [0, 'wrong_token', 6n])
chain.mineEmpty(2)
tell(assetTransfer(addressOf(6), 5n), [-1, 'wrong_asset', 5n])
tell(tokenTransfer(addressOf(7), 0n), [0, 'zero_value', 0n])

let harness: IngestHarness
let scripted: ScriptedNode
let node: NodeClient

beforeAll(async () => {
  harness = await createIngestHarness(inject('ownerUrl'))
  scripted = await startScriptedNode(chain)
  node = createNodeClient({ url: scripted.url, timeoutMs: 5_000 })
})
afterAll(async () => {
  await scripted.close()
  await harness.close()
})

/** Lives the story; returns the number of calls it made, or null when it died on the way. */
async function live(death: CrashPoint): Promise<number | null> {
  const lifetime = createLifetime(death)
  const follower = harness.follower(crashingDatabase(harness.gateway, lifetime))
  try {
    for (const solid of STAGES) {
      chain.solidLag = chain.head.number - solid
      await follower.poll(nodesOf([crashingPort(node, lifetime)]))
    }
    return lifetime.calls
  } catch (error) {
    if (!lifetime.crashed && !(error instanceof Crashed)) throw error
    return null
  }
}

const facts = (rows: readonly Omit<Recorded, 'member'>[]) =>
  rows.map((row) => [row.block, row.txid, row.position, row.verdict, row.value].join(' ')).sort()
const creditJobs = (rows: readonly Omit<Recorded, 'member'>[]) =>
  rows
    .filter((row) => row.verdict === 'credit')
    .map((row) => `credit:${row.txid}:${row.position}`)
    .sort()

/** Exactly what lies up to the cursor is recorded, in the chain's order, and exactly its credits are handed on. */
async function audit(): Promise<void> {
  const cursor = await harness.cursor()
  const due = expected.filter((row) => row.block <= (cursor?.scanned ?? 0))
  expect(facts(await harness.recorded())).toEqual(facts(due))
  expect(await harness.inOrder()).toEqual(due.map((row) => `${row.txid} ${row.position}`))
  expect((await harness.jobs()).sort()).toEqual(creditJobs(due))
}

const NEVER: CrashPoint = { after: Number.POSITIVE_INFINITY, how: 'unsent' }

it('loses and doubles nothing, whichever word to node or database is its last', async () => {
  for (const how of ['unsent', 'unanswered'] as const) {
    let deaths = 0
    for (let lived: number | null = null; lived === null; deaths += 1) {
      await harness.reset()
      lived = await live({ after: deaths, how })
      await audit()
      await live(NEVER)
      await audit()
      expect(await harness.cursor()).toMatchObject({ scanned: chain.head.number, id: chain.head.id })
    }
    expect(deaths).toBeGreaterThan(40)
  }
}, 180_000)

it('survives being killed again and again without ever getting through a whole look', async () => {
  await harness.reset()
  // Each lifetime is long enough for one batch and too short for the story.
  for (let lives = 0; lives < 40; lives += 1) {
    await live({ after: 16 + (lives % 12), how: lives % 2 === 0 ? 'unsent' : 'unanswered' })
    await audit()
  }
  await live(NEVER)
  await audit()
  expect(facts(await harness.recorded())).toEqual(facts(expected))
})

it('notices that another gateway has read further, and never takes the cursor back', async () => {
  await harness.reset()
  const late = harness.follower()
  const lookAt = (solid: number, follower: typeof late) => {
    chain.solidLag = chain.head.number - solid
    return follower.poll(nodesOf([node]))
  }
  await lookAt(2, late)
  await lookAt(5, harness.follower())
  await expect(lookAt(3, late)).rejects.toMatchObject({ name: 'CursorMoved' })
  expect(await harness.cursor()).toMatchObject({ scanned: 5 })
  expect(await lookAt(9, late)).toMatchObject({ scanned: 9 })
  await audit()
})

it('shares the work with a second gateway by mistake, and still records everything once', async () => {
  await harness.reset()
  const first = harness.follower()
  const second = harness.follower()
  for (const solid of STAGES) {
    chain.solidLag = chain.head.number - solid
    await Promise.allSettled([first, second, first].map((each) => each.poll(nodesOf([node]))))
  }
  await live(NEVER)
  await audit()
  expect(facts(await harness.recorded())).toEqual(facts(expected))
})
