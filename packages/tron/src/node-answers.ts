/**
 * The shapes of java-tron's answers, and their translation into ours. Everything here comes from outside:
 * fields we do not need are ignored, fields we need are checked.
 */
import { z } from 'zod'
import { addressFromHex, type TronAddress, tryAddressFromHex } from './address.ts'

/** A block without its transactions. `id` and `parentId` are 64 hex characters. */
export interface BlockHeader {
  readonly number: number
  readonly id: string
  readonly parentId: string
  readonly timestamp: Date
}

/** A transaction as a block lists it. What it asked for is no proof of what happened: see receipts. */
export interface BlockTransaction {
  readonly txid: string
  /** `contractRet` is SUCCESS. */
  readonly success: boolean
  /** "TransferContract", "TriggerSmartContract", … */
  readonly contractType: string
  readonly from: TronAddress
  /** The receiver of a TRX or TRC10 transfer. */
  readonly to?: TronAddress
  /** The contract that was called. */
  readonly contract?: TronAddress
  /** Call data, hex. */
  readonly data?: string
  /** TRX moved, in sun, or TRC10 in its smallest unit; absent when the node's JSON number is too large to be exact. */
  readonly amount?: bigint
  /** The TRC10 asset moved, such as "1002000"; absent in old blocks, which call an asset by a name that is not its own. */
  readonly assetId?: string
}

/** A block with its transactions. */
export interface Block extends BlockHeader {
  /** Those of a kind with an owner, which are all but shielded ones, in the block's order. */
  readonly transactions: readonly BlockTransaction[]
  /** All it has, in its order: a receipt belongs to each. */
  readonly txids: readonly string[]
}

/** An event log; `index` is its position in the transaction, from 0. Hex without "0x". */
export interface ReceiptLog {
  readonly contract: TronAddress
  readonly topics: readonly string[]
  readonly data: string
  readonly index: number
}

/** What a transaction did. Only a `success` may have logs that count. */
export interface Receipt {
  readonly txid: string
  readonly blockNumber: number
  readonly timestamp: Date
  readonly success: boolean
  /** java-tron's word for the result: SUCCESS, REVERT, OUT_OF_ENERGY, … */
  readonly result: string
  /** Everything the sender paid, in sun. */
  readonly fee: bigint
  readonly energyUsed: number
  readonly logs: readonly ReceiptLog[]
}

const hash = z
  .string()
  .length(64)
  .regex(/^[0-9a-f]+$/)
const hexData = z.string().regex(/^(?:[0-9a-f]{2})*$/)
const count = z.int().nonnegative()
const account = z
  .string()
  .length(42)
  .transform((text, context): TronAddress => {
    const address = text.startsWith('41') ? tryAddressFromHex(text) : null
    if (address !== null) return address
    context.addIssue({ code: 'custom', message: 'no address' })
    return z.NEVER
  })
const logAccount = z
  .string()
  .length(40)
  .regex(/^[0-9a-f]+$/)
  .transform((text): TronAddress => addressFromHex(text))

const header = z.object({
  blockID: hash,
  block_header: z.object({
    // A protobuf zero is left out of the JSON: the first block has neither number nor timestamp.
    raw_data: z.object({ number: count.default(0), timestamp: count.default(0), parentHash: hash }),
  }),
})

const transaction = z.object({
  txID: hash,
  ret: z.array(z.object({ contractRet: z.string().default('DEFAULT') })).default([]),
  raw_data: z.object({
    contract: z
      .array(
        z.object({
          type: z.string().max(64),
          parameter: z.object({
            value: z.object({
              owner_address: account,
              to_address: account.optional(),
              contract_address: account.optional(),
              data: hexData.optional(),
              amount: z.unknown().optional(),
              asset_name: z.unknown().optional(),
            }),
          }),
        }),
      )
      .min(1),
  }),
})

// Kinds of contract we do not use may have other fields under the same names, or no owner at all; such a
// transaction is counted and passed over, so that its block stays readable. The two we use must fit.
const KNOWN_KINDS: readonly string[] = ['TransferContract', 'TriggerSmartContract']
const foreignTransaction = z.object({
  txID: hash,
  raw_data: z.object({
    contract: z.array(z.object({ type: z.string().refine((type) => !KNOWN_KINDS.includes(type)) })).min(1),
  }),
})

export const headerAnswer = header.transform((answer): BlockHeader => {
  const raw = answer.block_header.raw_data
  return {
    number: raw.number,
    id: answer.blockID,
    parentId: raw.parentHash,
    timestamp: new Date(raw.timestamp),
  }
})

export const blockAnswer = header
  .extend({ transactions: z.array(z.unknown()).default([]) })
  .transform((answer, context): Block => {
    const read = answer.transactions.flatMap((candidate) => readTransaction(candidate) ?? [])
    if (read.length < answer.transactions.length) {
      context.addIssue({ code: 'custom', message: 'unreadable transaction' })
    }
    const transactions = read.filter((each): each is BlockTransaction => 'from' in each)
    return { ...headerAnswer.parse(answer), transactions, txids: read.map((each) => each.txid) }
  })

const receipt = z.object({
  id: hash,
  blockNumber: count.default(0),
  blockTimeStamp: count.default(0),
  fee: count.default(0),
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional(), energy_usage_total: count.default(0) }),
  log: z
    .array(z.object({ address: logAccount, topics: z.array(hash).default([]), data: hexData.default('') }))
    .default([]),
})

export const receiptAnswer = receipt.transform((answer): Receipt => {
  const logs = answer.log.map(
    (log, index): ReceiptLog => ({ contract: log.address, topics: log.topics, data: log.data, index }),
  )
  // Only contract calls carry a result of their own; logs without one belong to no successful call.
  const result = answer.receipt.result ?? (logs.length > 0 ? 'UNKNOWN' : 'SUCCESS')
  return {
    txid: answer.id,
    blockNumber: answer.blockNumber,
    timestamp: new Date(answer.blockTimeStamp),
    success: (answer.result === undefined || answer.result === 'SUCESS') && result === 'SUCCESS',
    result: answer.result === 'FAILED' && result === 'SUCCESS' ? 'FAILED' : result,
    fee: BigInt(answer.fee),
    energyUsed: answer.receipt.energy_usage_total,
    logs,
  }
})

export const receiptsAnswer = z.array(receiptAnswer)

export const callAnswer = z.object({
  result: z.object({
    result: z.boolean().default(false),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  energy_used: count.default(0),
  constant_result: z.array(hexData).default([]),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).default([]) }).optional(),
})

/** One that holds no TRX has no balance in the JSON. */
export const accountAnswer = z.object({ address: account, balance: count.default(0) })

export const transactionAnswer = z.object({ txID: hash })

export const contractAnswer = z.object({ contract_address: account })

/** A protobuf zero is left out of the JSON. */
export const resourcesAnswer = z.object({
  freeNetLimit: count.default(0),
  freeNetUsed: count.default(0),
  NetLimit: count.default(0),
  NetUsed: count.default(0),
  EnergyLimit: count.default(0),
  EnergyUsed: count.default(0),
})

export const parametersAnswer = z.object({
  chainParameter: z.array(z.object({ key: z.string(), value: z.unknown().optional() })),
})

export const broadcastAnswer = z.object({
  result: z.boolean().default(false),
  code: z.string().default('SUCCESS'),
  txid: hash,
  message: z.string().default(''),
})

/** What a node says instead of an answer, mostly with HTTP status 200. */
export const errorAnswer = z.object({ Error: z.string() })

/** Of one of a foreign kind only the id; null when it is no transaction. */
function readTransaction(candidate: unknown): BlockTransaction | { readonly txid: string } | null {
  const read = transaction.safeParse(candidate)
  const contract = read.data?.raw_data.contract[0]
  if (read.data === undefined || contract === undefined) {
    const foreign = foreignTransaction.safeParse(candidate)
    return foreign.success ? { txid: foreign.data.txID } : null
  }
  const value = contract.parameter.value
  const amount = exactInteger(value.amount)
  const assetId = digitsInHex(value.asset_name)
  return {
    txid: read.data.txID,
    success: read.data.ret[0]?.contractRet === 'SUCCESS',
    contractType: contract.type,
    from: value.owner_address,
    ...(value.to_address === undefined ? {} : { to: value.to_address }),
    ...(value.contract_address === undefined ? {} : { contract: value.contract_address }),
    ...(value.data === undefined ? {} : { data: value.data }),
    ...(amount === undefined ? {} : { amount }),
    ...(assetId === undefined ? {} : { assetId }),
  }
}

function exactInteger(value: unknown): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

/** An asset's id is the text of a 64-bit number, and the node writes texts in hex. */
function digitsInHex(value: unknown): string | undefined {
  const isDigits = typeof value === 'string' && /^(?:3\d){1,19}$/.test(value)
  return isDigits ? value.replace(/3(\d)/g, '$1') : undefined
}
