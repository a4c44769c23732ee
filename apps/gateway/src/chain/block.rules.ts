/** A block as the gateway needs it: what it follows, what it moved, and how its transactions ended. */
import {
  type Block,
  type BlockTransaction,
  decodeTransfer,
  decodeTransferCall,
  type Receipt,
  type ReceiptLog,
  TRANSFER_TOPIC,
  type TronAddress,
  tryAddressFromHex,
} from '@aval/tron'

export interface BlockRef {
  readonly number: number
  readonly id: string
}

export interface LinkedBlock extends BlockRef {
  readonly parentId: string
}

export interface BlockFacts extends LinkedBlock {
  readonly at: Date
  readonly movements: readonly Movement[]
  /** Empty where no receipt was needed: no code ran, and no transfer of ours can be among the transactions. */
  readonly outcomes: readonly Outcome[]
}

/** Why `block` does not follow `previous`; null when it does. */
export function breakBetween(previous: BlockRef, block: LinkedBlock): string | null {
  if (block.number !== previous.number + 1) {
    return `block ${block.number} came where ${previous.number + 1} belongs`
  }
  if (block.parentId !== previous.id) {
    return `block ${block.number} names ${block.parentId} as its parent, we had read ${previous.id}`
  }
  return null
}

/** All facts of a block, a line each: two nodes agree when their lines are the same. */
export function factLines(block: BlockFacts): string[] {
  return [
    `id ${block.id}`,
    `parent ${block.parentId}`,
    `at ${block.at.toISOString()}`,
    ...block.movements.map(
      (each) =>
        `${each.nature} ${each.txid}:${each.position} ${each.contract} ${each.from} ${each.to} ${each.value}`,
    ),
    ...block.outcomes.map(
      (each) => `${each.result} ${each.txid} ${each.success} ${each.fee} ${each.disputed}`,
    ),
  ]
}

/** The first line that each of them has and the other has not; null when they agree. */
export function firstDifference(
  one: readonly string[],
  other: readonly string[],
): readonly [string, string] | null {
  const onlyIn = (some: readonly string[], rest: readonly string[]) => {
    const known = new Set(rest)
    return some.find((line) => !known.has(line))
  }
  const [first, second] = [onlyIn(one, other), onlyIn(other, one)]
  if (first !== undefined || second !== undefined) return [first ?? 'nothing', second ?? 'nothing']
  return one.length === other.length ? null : [`${one.length} facts`, `${other.length} facts`]
}

/**
 * - `event`: a well-formed Transfer event of a successful transaction.
 * - `malformed`: a Transfer event that names the receiver but is not a token's, such as an NFT's.
 * - `request`: a call asked for the transfer, and no event shows that it happened.
 * - `asset`: TRX or a TRC10 asset.
 * - `disputed`: the block and the receipt disagree on whether the transaction succeeded.
 */
export type MovementNature = 'event' | 'malformed' | 'request' | 'asset' | 'disputed'

export interface Movement {
  readonly nature: MovementNature
  readonly txid: string
  readonly position: number
  /** The emitting or called contract; for assets "TRX" or "TRC10:<id>", "TRC10" where the id is unknown. */
  readonly contract: string
  readonly from: TronAddress
  readonly to: TronAddress
  /** In the token's smallest unit, or sun; 0 where unknown. */
  readonly value: bigint
}

/** How a transaction ended, whatever it moved. */
export interface Outcome {
  readonly txid: string
  readonly success: boolean
  /** java-tron's result: SUCCESS, REVERT, OUT_OF_ENERGY, … */
  readonly result: string
  /** Everything the sender paid, in sun. */
  readonly fee: bigint
  /** The block and the receipt disagree on the success. */
  readonly disputed: boolean
}

/** The outcomes of a block's transactions, as far as their receipts were fetched. */
export function outcomesOf(block: Block, receipts: readonly Receipt[]): Outcome[] {
  const disputed = disputedOf(block, receipts)
  return receipts.map(({ txid, success, result, fee }) => ({
    txid,
    success,
    result,
    fee,
    disputed: disputed.has(txid),
  }))
}

/** Position of a movement without a log. */
export const WHOLE_TRANSACTION = -1

/** Whether a block can have logs. Without, no receipts are fetched: one request a block instead of two. */
export function mayHaveLogs(block: Block): boolean {
  return (
    block.transactions.length < block.txids.length ||
    block.transactions.some((each) => RUNS_CODE.has(each.contractType))
  )
}

const RUNS_CODE = new Set(['TriggerSmartContract', 'CreateSmartContract'])

/**
 * All movements of a block in the chain's order: by transaction as the block lists them (not as receipts arrive), then by
 * position. Members are credited in this order.
 * `receipts` may be empty where {@link mayHaveLogs} says no.
 */
export function movementsOf(block: Block, receipts: readonly Receipt[]): Movement[] {
  const disputed = disputedOf(block, receipts)
  const events = receipts
    .filter((receipt) => receipt.success || disputed.has(receipt.txid))
    .flatMap(({ txid, logs }) => logs.flatMap((log) => eventOf(txid, log) ?? []))
  const shown = new Set(events.map((event) => `${event.txid} ${event.to}`))
  const requests = block.transactions
    .flatMap((each) => requestOf(each) ?? [])
    .filter((each) => !shown.has(`${each.txid} ${each.to}`))
  const assets = block.transactions.flatMap((each) => assetOf(each) ?? [])
  return [...events, ...requests, ...assets]
    .sort(chainOrder(block))
    .map((each) => (disputed.has(each.txid) ? { ...each, nature: 'disputed' } : each))
}

function chainOrder(block: Block): (one: Movement, other: Movement) => number {
  const places = new Map(block.txids.map((txid, index) => [txid, index]))
  const placeOf = ({ txid }: Movement) => places.get(txid) ?? places.size
  return (one, other) => placeOf(one) - placeOf(other) || one.position - other.position
}

/** Transactions on whose success the block and the receipt disagree. */
function disputedOf(block: Block, receipts: readonly Receipt[]): ReadonlySet<string> {
  const success = new Map(block.transactions.map((each) => [each.txid, each.success]))
  const disagrees = (receipt: Receipt) => (success.get(receipt.txid) ?? receipt.success) !== receipt.success
  return new Set(receipts.filter(disagrees).map((receipt) => receipt.txid))
}

function eventOf(txid: string, log: ReceiptLog): Movement | null {
  const place = { txid, position: log.index, contract: log.contract }
  const transfer = decodeTransfer(log)
  if (transfer !== null) {
    const { from, to, value } = transfer
    return { nature: 'event', ...place, from, to, value }
  }
  const [topic, fromWord, toWord] = log.topics
  const to = wordAddress(toWord)
  if (topic !== TRANSFER_TOPIC || to === null) return null
  return { nature: 'malformed', ...place, from: wordAddress(fromWord) ?? log.contract, to, value: 0n }
}

/** The transfer that a call asked for, whether or not it happened. */
function requestOf(transaction: BlockTransaction): Movement | null {
  if (transaction.contractType !== 'TriggerSmartContract' || transaction.contract === undefined) return null
  const data = transaction.data ?? ''
  const asked = decodeTransferCall(data) ?? decodeTransferFromCall(data)
  if (asked === null) return null
  return {
    nature: 'request',
    txid: transaction.txid,
    position: WHOLE_TRANSACTION,
    contract: transaction.contract,
    from: transaction.from,
    ...asked,
  }
}

function assetOf(transaction: BlockTransaction): Movement | null {
  const contract = assetName(transaction)
  if (contract === null || transaction.to === undefined || !transaction.success) return null
  const { txid, from, to, amount = 0n } = transaction
  return { nature: 'asset', txid, position: WHOLE_TRANSACTION, contract, from, to, value: amount }
}

function assetName({ contractType, assetId }: BlockTransaction): string | null {
  if (contractType === 'TransferContract') return 'TRX'
  if (contractType !== 'TransferAssetContract') return null
  return assetId === undefined ? 'TRC10' : `TRC10:${assetId}`
}

const TRANSFER_FROM = /^23b872dd[0-9a-f]{64}([0-9a-f]{64})([0-9a-f]{64})$/

/** The call data of `transferFrom(address,address,uint256)`; null when it is another call or has another length. */
export function decodeTransferFromCall(data: string): { to: TronAddress; value: bigint } | null {
  const [, toWord, valueWord] = TRANSFER_FROM.exec(data) ?? []
  const to = wordAddress(toWord)
  return to === null || valueWord === undefined ? null : { to, value: BigInt(`0x${valueWord}`) }
}

function wordAddress(word: string | undefined): TronAddress | null {
  return word?.length === 64 ? tryAddressFromHex(word) : null
}
