import { expect, it } from 'vitest'
import { nodesOf } from '../chain/nodes.ts'
import {
  Crashed,
  type CrashPoint,
  crashingDatabase,
  crashingPort,
  createLifetime,
} from '../testing/crashes.ts'
import { addressOf, createIngestHarness, type Recorded } from '../testing/ingest-harness.ts'
import {
  assetTransfer,
  call,
  failedTransfer,
  OTHER_TOKEN,
  ScriptedChain,
  ScriptedNode,
  type ScriptedTransaction,
  someAddress,
  tokenTransfer,
  transferLog,
} from '../testing/scripted-chain.ts'
import { suiteHarness } from '../testing/suite.ts'

/** One history of blocks, read by gateways that crash at every possible call. */
const chain = new ScriptedChain()
/** What must be recorded in the end, written by the test. */
const expected: Omit<Recorded, 'member'>[] = []
/** The solid block at each of the polls. */
const SOLID = [2, 5, 9]

function expectTransfer(
  transaction: ScriptedTransaction,
  ...outcomes: [position: number, verdict: string, value: bigint][]
) {
  const { number } = chain.mine(transaction, tokenTransfer(someAddress(500 + expected.length), 1n))
  for (const [position, verdict, value] of outcomes) {
    expected.push({ txid: transaction.txid, position, verdict, value: String(value), block: number })
  }
}

expectTransfer(tokenTransfer(addressOf(1), 1_005_000_000n), [0, 'credit', 1_005_000_000n])
chain.mineEmpty(1)
expectTransfer(failedTransfer(addressOf(2), 7n), [-1, 'failed', 7n])
expectTransfer(
  call({
    logs: [transferLog(addressOf(3), 8n), transferLog(addressOf(4), 9n), transferLog(addressOf(3), 8n)],
  }),
  [0, 'credit', 8n],
  [1, 'credit', 9n],
  [2, 'credit', 8n],
)
expectTransfer(tokenTransfer(addressOf(5), 6n, { contract: OTHER_TOKEN }), [0, 'wrong_token', 6n])
chain.mineEmpty(2)
expectTransfer(assetTransfer(addressOf(6), 5n), [-1, 'wrong_asset', 5n])
expectTransfer(tokenTransfer(addressOf(7), 0n), [0, 'zero_value', 0n])

const harness = await suiteHarness(createIngestHarness)
const node = new ScriptedNode(chain).client()

/** Reads the whole history; gives the number of calls, or null when it crashed. */
async function readAll(crashPoint?: CrashPoint): Promise<number | null> {
  const lifetime = createLifetime(crashPoint)
  const follower = harness.follower(crashingDatabase(harness.gateway, lifetime))
  try {
    for (const solid of SOLID) {
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

/** Exactly the transfers up to the cursor are recorded, in the chain's order, and exactly their credits have jobs. */
async function check(): Promise<void> {
  const cursor = await harness.cursor()
  const due = expected.filter((row) => row.block <= (cursor?.scanned ?? 0))
  expect(facts(await harness.recorded())).toEqual(facts(due))
  expect(await harness.inOrder()).toEqual(due.map((row) => `${row.txid} ${row.position}`))
  expect((await harness.jobs()).sort()).toEqual(creditJobs(due))
}

it('loses and doubles nothing, whichever call to node or database is the last', async () => {
  for (const how of ['unsent', 'unanswered'] as const) {
    let crashes = 0
    for (let calls: number | null = null; calls === null; crashes += 1) {
      await harness.reset()
      calls = await readAll({ after: crashes, how })
      await check()
      await readAll()
      await check()
      expect(await harness.cursor()).toMatchObject({ scanned: chain.head.number, id: chain.head.id })
    }
    expect(crashes).toBeGreaterThan(40)
  }
})

it('notices that another gateway has read further, and never moves the cursor back', async () => {
  await harness.reset()
  const late = harness.follower()
  const pollAt = (solid: number, follower: typeof late) => {
    chain.solidLag = chain.head.number - solid
    return follower.poll(nodesOf([node]))
  }
  await pollAt(2, late)
  await pollAt(5, harness.follower())
  await expect(pollAt(3, late)).rejects.toMatchObject({ name: 'CursorMoved' })
  expect(await harness.cursor()).toMatchObject({ scanned: 5 })
  expect(await pollAt(9, late)).toMatchObject({ scanned: 9 })
  await check()
})
