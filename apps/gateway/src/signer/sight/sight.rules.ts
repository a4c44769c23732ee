/**
 * Whether nodes show that a signed transfer can arrive no more. Terms: the *end* is `absent`, a block past its expiration is solid and no
 * solid block has it, or `failed`, a solid block has it and it moved nothing.
 */
import {
  type BlockHeader,
  decodeTransfer,
  type NodeErrorCode,
  type Receipt,
  type TronAddress,
} from '@aval/tron'
import type { Earlier } from '../journal/memory.rules.ts'
import { type EarlierRefusal, no, type Refused } from '../signing.rules.ts'

export type End = 'absent' | 'failed'

/** What a node says of a transfer; or why it says nothing. */
export type Answer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed' | 'arrived'; readonly block: number; readonly result: string }
  | { readonly kind: 'silent'; readonly because: EarlierRefusal }

/** A node's answer about one transfer. */
export interface Statement {
  readonly node: string
  /** By the system's clock. */
  readonly at: number
  /** The block that enough nodes have, as this one has it; null where it has not. */
  readonly solid: BlockHeader | null
  readonly answer: Answer
}

export type Judged =
  | { readonly end: End; readonly statements: readonly (Statement & { readonly solid: BlockHeader })[] }
  | { readonly refused: Refused }

/** The receipt of a transfer of ours in the solid chain: money has left where the token says so, whatever else is in it. */
export function answerOf(receipt: Receipt, own: { usdt: TronAddress; hot: TronAddress }): Answer {
  const { success, logs, blockNumber: block, result } = receipt
  const hasLeft = logs.some((log) => {
    const moved = decodeTransfer(log)
    return moved !== null && moved.contract === own.usdt && moved.from === own.hot
  })
  if (success && hasLeft) return { kind: 'arrived', block, result }
  return { kind: 'failed', block, result: success ? 'NO_TRANSFER' : result }
}

const OF_ERRORS: Readonly<Partial<Record<NodeErrorCode, EarlierRefusal>>> = {
  timeout: 'nodes_away',
  unreachable: 'nodes_away',
  rate_limited: 'nodes_limit_us',
  key_refused: 'nodes_refuse_key',
  other_network: 'nodes_of_other_network',
}

export const refusalOfError = (code: NodeErrorCode): EarlierRefusal => OF_ERRORS[code] ?? 'nodes_unreadable'

/** What is said first where several nodes fail in several ways: what a person has to mend before what mends itself. */
const SENTENCES = {
  nodes_of_other_network: 'a node of the signer is of another network',
  nodes_refuse_key: 'a node of the signer refuses its API key',
  nodes_unreadable: 'a node of the signer answers what cannot be read',
  nodes_limit_us: 'a node of the signer does not want to be asked so often',
  nodes_away: 'a node of the signer does not answer',
  nodes_lag: 'too few nodes of the signer have a solid block past its expiration',
} as const satisfies Partial<Record<EarlierRefusal, string>>

/**
 * One that says otherwise than the rest is enough to refuse: nobody knows which of them lies. Where enough say the same of one block,
 * silence and lag of the others do not matter.
 */
export function judge({ txid, expires }: Earlier, statements: readonly Statement[], quorum: number): Judged {
  const refuse = (code: EarlierRefusal, message: string): Judged => ({
    refused: no(code, `an earlier transfer, ${txid}: ${message}`),
  })
  const blocks = new Set(statements.flatMap(({ solid }) => (solid === null ? [] : [solid.id])))
  const counted = statements.filter(({ solid, answer }) => saysEnd(solid, answer, expires))
  const said = new Set(counted.map(({ answer }) => saidOf(answer)))
  if (blocks.size > 1 || said.size > 1)
    return refuse('nodes_disagree', 'the nodes of the signer contradict each other')
  const kind = counted[0]?.answer.kind
  if (kind === 'arrived') return refuse('earlier_transfer_arrived', 'it arrived')
  const shown = counted.flatMap(({ solid, ...each }) => (solid === null ? [] : [{ ...each, solid }]))
  if ((kind === 'absent' || kind === 'failed') && shown.length >= quorum)
    return { end: kind, statements: shown }
  const because = new Set(
    statements.map(({ answer }) => (answer.kind === 'silent' ? answer.because : 'nodes_lag')),
  )
  const code = (Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]).find((each) => because.has(each))
  return refuse(code ?? 'nodes_lag', SENTENCES[code ?? 'nodes_lag'])
}

/** That it is absent counts of a node that is past its expiration alone; what a solid block has is final. */
function saysEnd(solid: BlockHeader | null, { kind }: Answer, expires: number): boolean {
  if (kind === 'silent') return false
  return kind !== 'absent' || (solid !== null && solid.timestamp.getTime() > expires)
}

/** For comparing, and for the journal. */
export const saidOf = (answer: Answer): string =>
  'block' in answer ? `${answer.kind} in block ${answer.block}: ${answer.result}`.slice(0, 200) : answer.kind
