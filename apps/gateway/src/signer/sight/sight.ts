/**
 * The signer's own view of the chain. Before a second transfer of one withdrawal is signed, nodes that the key file names have to show that
 * the one before can arrive no more: neither the gateway nor the database is believed about that. What is asked for is read beside the
 * signing, so that no other signature waits for a node; what was seen is in the journal, for good.
 */
import {
  type BlockHeader,
  compareNetwork,
  createNodeClient,
  GENESIS_BLOCKS,
  type NodeClient,
  NodeError,
  type TronAddress,
} from '@aval/tron'
import { describeError, type Log } from '../../core/log.ts'
import type { Journal } from '../journal/journal.ts'
import type { Earlier } from '../journal/memory.rules.ts'
import type { OwnChain, Policy } from '../policy.rules.ts'
import { type EarlierRefusal, no, type Refused } from '../signing.rules.ts'
import { type Answer, answerOf, judge, refusalOfError, type Statement, saidOf } from './sight.rules.ts'

type OwnNode = OwnChain['nodes'][number]

export interface SightContext {
  readonly keys: { readonly network: string; readonly usdt: TronAddress; readonly hot: TronAddress }
  /** The key file's, as it is now. */
  readonly policy: () => Pick<Policy, 'chain'>
  /** Asked where the key file names no node: that of the development chain; null elsewhere. */
  readonly devnetUrl: string | null
  readonly journal: Journal
  readonly log: Log
  readonly now: () => Date
  readonly connect?: (node: OwnNode) => NodeClient
}

export interface Sight {
  /** Null where it was seen of each that it can arrive no more. Otherwise why not, and it is read again when that is due. */
  refusalOf(earlier: readonly Earlier[]): Refused | null
  /** Reads what is wanted. Never throws. */
  step(): Promise<void>
}

const TIMEOUT_MS = 5_000
/** Transfers that are read in a step, and those that are known of at most. */
const TOGETHER = 32
const REMEMBERED = 1_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 300_000

const MISSING = no(
  'nodes_missing',
  'the key file names no nodes that could show what became of the earlier transfer',
)
const UNREAD = no(
  'earlier_transfer_unread',
  'what became of an earlier transfer is being read from the chain',
)

export function createSight(context: SightContext): Sight {
  const { keys, policy, devnetUrl, journal, log, now } = context
  const wanted = new Map<string, Earlier>()
  const refusals = new Map<string, { refused: Refused; times: number; until: number }>()

  const chain = (): OwnChain | null => {
    const own = policy().chain
    if (own !== undefined) return own
    if (keys.network !== 'devnet' || devnetUrl === null) return null
    return { nodes: [{ url: devnetUrl, headers: {} }], quorum: 1 }
  }
  const refuse = (txid: string, refused: Refused): void => {
    const before = refusals.get(txid)
    const times = (before?.times ?? 0) + 1
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(times, 16), LONGEST_PAUSE_MS)
    if (before?.refused.code !== refused.code)
      log.warn('earlier.unseen', { txid, code: refused.code, message: refused.message })
    const [oldest] = refusals.keys()
    if (refusals.size >= REMEMBERED && oldest !== undefined) refusals.delete(oldest)
    refusals.set(txid, { refused, times, until: now().getTime() + pause })
  }
  const look = async (own: OwnChain, transfer: Earlier, heard: Heard): Promise<void> => {
    const judged = judge(transfer, heard.statementsOf(transfer.txid), own.quorum)
    if ('refused' in judged) return refuse(transfer.txid, judged.refused)
    const { end, statements } = judged
    await journal.append({
      kind: 'ended',
      at: now().getTime(),
      txid: transfer.txid,
      end,
      genesis: heard.genesis,
      nodes: statements.map(({ node, at, solid, answer }) => ({
        node,
        at,
        block: solid.number,
        id: solid.id,
        time: solid.timestamp.getTime(),
        said: saidOf(answer),
      })),
    })
    refusals.delete(transfer.txid)
    log.info('earlier.ended', { txid: transfer.txid, end, nodes: statements.map(({ node }) => node).join() })
  }
  return {
    refusalOf(earlier) {
      const unseen = earlier.filter(({ txid }) => !journal.memory.hasEnded(txid))
      if (unseen.length === 0) return null
      if (chain() === null) return MISSING
      for (const each of unseen) {
        const due = (refusals.get(each.txid)?.until ?? 0) <= now().getTime()
        if (due && wanted.size < REMEMBERED) wanted.set(each.txid, each)
      }
      return (
        unseen.map(({ txid }) => refusals.get(txid)?.refused).find((known) => known !== undefined) ?? UNREAD
      )
    },
    async step() {
      const own = chain()
      const batch = [...wanted.values()].slice(0, TOGETHER)
      if (own === null || batch.length === 0) return
      for (const { txid } of batch) wanted.delete(txid)
      try {
        const heard = await hear(context, own, batch)
        for (const each of batch) await look(own, each, heard)
      } catch (error) {
        log.error('earlier.failed', { error: describeError(error) })
      }
    },
  }
}

/** What all nodes said. */
interface Heard {
  readonly genesis: string
  statementsOf(txid: string): Statement[]
}

/** A node of our network and its newest solid block; or why it is not asked on. */
interface Standing {
  readonly node: string
  readonly client: NodeClient
  readonly genesis: string
  readonly solid: BlockHeader | null
  readonly because: EarlierRefusal | null
}

/**
 * First each shows its network and its solid block, then they are asked about the highest block that enough of them have, and last about
 * the transfers: what is absent then is in no block up to that one.
 */
async function hear(context: SightContext, own: OwnChain, batch: readonly Earlier[]): Promise<Heard> {
  const standings = await Promise.all(own.nodes.map((node) => stand(context, node)))
  const heights = standings.flatMap(({ solid }) => (solid === null ? [] : [solid.number]))
  const agreed = heights.toSorted((one, other) => other - one)[own.quorum - 1] ?? null
  const said = await Promise.all(standings.map((each) => ask(context, each, agreed, batch)))
  return {
    genesis: standings.find(({ solid }) => solid !== null)?.genesis ?? '',
    statementsOf: (txid) => said.flatMap((of) => of.get(txid) ?? []),
  }
}

async function stand(context: SightContext, node: OwnNode): Promise<Standing> {
  const { keys, journal, connect = connectNode } = context
  const client = connect(node)
  const { host } = new URL(node.url)
  const known = new Map<string, string>(Object.entries(GENESIS_BLOCKS)).get(keys.network)
  const silent = (because: EarlierRefusal): Standing => ({
    node: host,
    client,
    genesis: '',
    solid: null,
    because,
  })
  try {
    const network = { name: keys.network, token: keys.usdt, genesis: known ?? journal.memory.genesis() }
    const { genesis, difference } = await compareNetwork(client, network)
    if (difference !== null) return silent('nodes_of_other_network')
    return { node: host, client, genesis, solid: await client.solidBlock(), because: null }
  } catch (error) {
    return silent(becauseOf(error))
  }
}

const connectNode = ({ url, headers }: OwnNode): NodeClient =>
  createNodeClient({ url, headers, timeoutMs: TIMEOUT_MS })

/** One question after the other: a provider counts how many come in a second. */
async function ask(
  context: SightContext,
  { node, client, solid: newest, because }: Standing,
  agreed: number | null,
  batch: readonly Earlier[],
): Promise<ReadonlyMap<string, Statement>> {
  const said = new Map<string, Statement>()
  let [solid, silence]: [BlockHeader | null, EarlierRefusal | null] = [null, because]
  const answered = async <Value>(question: () => Promise<Value>): Promise<Value | null> => {
    if (silence !== null) return null
    try {
      return await question()
    } catch (error) {
      silence = becauseOf(error)
      return null
    }
  }
  if (agreed !== null && newest !== null && newest.number >= agreed)
    solid = newest.number === agreed ? newest : await answered(() => client.blockHeader(agreed, 'solid'))
  for (const { txid } of batch) {
    const answer = await answered(() => lookUp(context, client, txid))
    const at = context.now().getTime()
    said.set(txid, {
      node,
      at,
      solid,
      answer: answer ?? { kind: 'silent', because: silence ?? 'nodes_unreadable' },
    })
  }
  return said
}

async function lookUp({ keys }: SightContext, client: NodeClient, txid: string): Promise<Answer> {
  const receipt = await client.receipt(txid, 'solid')
  if (receipt !== null) return answerOf(receipt, keys)
  // A transaction without its receipt is of a node that is not ready, or that keeps no receipts.
  return (await client.hasTransaction(txid, 'solid'))
    ? { kind: 'silent', because: 'nodes_unreadable' }
    : { kind: 'absent' }
}

function becauseOf(error: unknown): EarlierRefusal {
  if (error instanceof NodeError) return refusalOfError(error.code)
  throw error
}
