/**
 * What can be wrong with one node while the chain and the other nodes are well: what each fault is called, what it
 * takes, and those that are on. Nothing of it is kept on disk.
 */
import { z } from 'zod'
import { addressText, amountText, positiveAmountText, txidText } from '../chain/fields.ts'
import { REFUSAL_CODES } from '../chain/submit.rules.ts'
import type { Phantom } from './falsify.ts'
import type { Fork } from './fork.ts'

/** No fault goes further back than this: the state of older blocks may be gone. */
const DEEPEST = 900

/** How many answers the fault is good for; without it, it lasts until it is ended. */
const times = z.int().min(1).max(1_000_000).optional()
const depth = z.int().min(0).max(DEEPEST)

const refusalCode = z.enum(REFUSAL_CODES)

/** How a node does not answer a question. */
const silence = z.enum(['hang', 'close'])

const lieFields = { kind: z.literal('lie'), times }
const some = { txid: txidText.optional(), to: addressText.optional() }

/** A node's answers are not signed: it can say anything consistent. */
const lie = z.discriminatedUnion('about', [
  z.strictObject({ ...lieFields, about: z.literal('receipt_success'), ...some }),
  z.strictObject({ ...lieFields, about: z.literal('receipt_failure'), ...some }),
  z
    .strictObject({ ...lieFields, about: z.literal('hidden'), ...some })
    .refine(({ txid, to }) => txid !== undefined || to !== undefined, 'txid or to is needed'),
  z.strictObject({
    ...lieFields,
    about: z.literal('balance'),
    address: addressText,
    value: amountText,
    asset: z.enum(['usdt', 'trx']).default('usdt'),
  }),
  z.strictObject({
    ...lieFields,
    about: z.literal('phantom'),
    to: addressText,
    value: positiveAmountText,
    from: addressText.optional(),
    block: z.int().min(1).optional(),
  }),
])

/** A fault, read. */
export const nodeFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('lag'), blocks: depth, solid_blocks: depth.optional(), times }),
  z.strictObject({
    kind: z.literal('fork'),
    depth,
    transactions: z.enum(['missing', 'moved']).default('missing'),
    times,
  }),
  z.strictObject({ kind: z.literal('drop'), times }),
  z.strictObject({ kind: z.literal('duplicate'), times }),
  z.strictObject({ kind: z.literal('timeout_after_acceptance'), as: silence.default('hang'), times }),
  z.strictObject({
    kind: z.literal('refuse'),
    code: refusalCode,
    message: z.string().max(500).default('refused'),
    times,
  }),
  z.strictObject({
    kind: z.literal('error'),
    as: z.enum(['error_field', 'text', 'html', 'empty', 'http500', 'cut_json', ...silence.options]),
    paths: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
    times,
  }),
  lie,
])

/** A fault as it is asked for. Amounts are decimal strings of USDT or TRX. */
export type NodeFaultInput = z.input<typeof nodeFault>
export type NodeFault = z.output<typeof nodeFault>
export type FaultKind = NodeFault['kind']
export type FaultOf<K extends FaultKind> = Extract<NodeFault, { readonly kind: K }>
export type Lie = FaultOf<'lie'>
export type Silence = z.output<typeof silence>

/** What there is, for people. Everything takes `times` besides. */
export const NODE_FAULTS: Readonly<Record<FaultKind, { readonly about: string; readonly takes: string }>> = {
  lag: {
    about: 'The node is behind: it shows an older head and an older solid block.',
    takes: `blocks: 0..${DEEPEST}, solid_blocks: 0..${DEEPEST} (as many as blocks)`,
  },
  fork: {
    about: 'The node has another history, from so many blocks below the solid block on.',
    takes: `depth: 0..${DEEPEST}, transactions: missing | moved (to the block after)`,
  },
  drop: { about: 'A broadcast is accepted and forgotten.', takes: '' },
  duplicate: { about: 'A broadcast is called a duplicate and forgotten.', takes: '' },
  timeout_after_acceptance: {
    about: 'A broadcast is accepted, and there is no answer.',
    takes: 'as: hang | close',
  },
  refuse: { about: 'A broadcast is refused.', takes: `code: ${refusalCode.options.join(' | ')}, message` },
  error: {
    about: 'Questions are answered with rubbish, or not at all.',
    takes:
      'as: error_field | text | html | empty | http500 | cut_json | hang | close, ' +
      'paths: such as ["getblockbynum", "/walletsolidity/getblock"]',
  },
  lie: {
    about: 'Answers are false, and fit together.',
    takes: [
      'about: receipt_success (txid, to)',
      'receipt_failure (txid, to)',
      'hidden (txid or to)',
      'balance (address, value, asset: usdt | trx)',
      'phantom (to, value, from, block)',
    ].join(' | '),
  },
}

export interface ActiveFault<T extends NodeFault = NodeFault> {
  readonly fault: T
  /** The other history of a fork. */
  readonly fork: Fork | null
  /** The transfer that a lie invented. */
  readonly phantom: Phantom | null
  /** For how many answers more; null means until it is ended. */
  left: number | null
}

/** The faults of one node that are on, in the order in which they came. */
export class FaultList {
  private active: ActiveFault[] = []

  add(fault: NodeFault, made: { readonly fork?: Fork; readonly phantom?: Phantom }): void {
    this.active.push({
      fault,
      fork: made.fork ?? null,
      phantom: made.phantom ?? null,
      left: fault.times ?? null,
    })
  }

  /** Ends all faults of a kind, or all. */
  end(kind?: FaultKind): void {
    this.active = kind === undefined ? [] : this.active.filter((each) => each.fault.kind !== kind)
  }

  /** Those of some kinds that are on. */
  on<K extends FaultKind>(...kinds: K[]): ActiveFault<FaultOf<K>>[] {
    const wanted: readonly FaultKind[] = kinds
    return this.active.filter((each): each is ActiveFault<FaultOf<K>> => wanted.includes(each.fault.kind))
  }

  /** Uses up one answer of each. */
  spend(faults: Iterable<ActiveFault>): void {
    for (const each of faults) if (each.left !== null) each.left -= 1
    this.active = this.active.filter((each) => each.left === null || each.left > 0)
  }

  list(): readonly ActiveFault[] {
    return this.active
  }
}
