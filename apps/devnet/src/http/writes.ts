/** Requests that build, try or broadcast transactions. */
import {
  addressToHex,
  type ContractCall,
  decodeRaw,
  decodeSigned,
  encodeRaw,
  FormatError,
  type RawTransaction,
  type SignedBytes,
  transactionId,
} from '@aval/tron'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import type { TrialOutcome } from '../chain/chain.ts'
import { buildTransaction } from '../chain/dev-wallet.ts'
import { type Json, writeJson } from '../chain/json.ts'
import { hexText, resultMessage, transactionFields } from '../chain/shapes.ts'
import { accountKeyOf } from '../chain/state.ts'
import type { Refusal } from '../chain/submit.rules.ts'
import { tokenCall } from '../chain/token.ts'
import {
  type Answer,
  addressField,
  hexField,
  NodeComplaint,
  type Question,
  readState,
  Unanswered,
  wholeNumber,
} from './answers.ts'

/** The most energy a trial run may use; its caller may be anybody, funded or not. */
const TRIAL_ENERGY = 30_000_000n

/** What the solid view answers, too. */
export const TRIALS: Readonly<Record<string, Answer>> = {
  triggerconstantcontract: aboutCall(async (question, asked) => {
    const outcome = await trial(question, asked.contract)
    const failed = outcome.result !== 'SUCCESS'
    return writeJson({
      result: { result: true, ...(failed ? { message: hexText(resultMessage(outcome.result)) } : {}) },
      energy_used: outcome.energyUsed,
      ...(outcome.energyPenalty === 0n ? {} : { energy_penalty: outcome.energyPenalty }),
      constant_result: [outcome.output],
      transaction: {
        ret: [failed ? { ret: 'FAILED' } : {}],
        ...built(question, asked.contract, asked.extra),
      },
    })
  }),
  estimateenergy: aboutCall(async (question, asked) => {
    const outcome = await trial(question, asked.contract)
    if (outcome.result === 'SUCCESS') {
      return writeJson({ result: { result: true }, energy_required: outcome.energyUsed })
    }
    return refusedCall({ code: 'CONTRACT_EXE_ERROR', message: resultMessage(outcome.result) })
  }),
}

export const WRITES: Readonly<Record<string, Answer>> = {
  triggersmartcontract: aboutCall((question, asked) => {
    const transaction = built(question, asked.contract, asked.extra)
    return writeJson({ result: { result: true }, transaction })
  }),
  createtransaction: (question) => {
    const { amount, ...rest } = transferShape.parse(question.fields)
    const owner = addressField(question, 'owner_address')
    const contract: ContractCall = {
      type: 'TransferContract',
      owner,
      to: addressField(question, 'to_address'),
      amount: BigInt(amount),
    }
    if (contract.amount === 0n) throw invalid('Amount must be greater than 0.')
    if (readState(question, accountKeyOf(owner)) === null) {
      throw invalid('Validate TransferContract error, no OwnerAccount.')
    }
    return writeJson(built(question, contract, extraOf(rest)))
  },
  broadcasttransaction: async (question) => {
    const signed = readTransactionJson(question)
    const refusal = await broadcast(question, signed)
    return writeJson(reply(transactionId(signed.raw), refusal, question.visible ? (text) => text : hexText))
  },
  broadcasthex: async (question) => {
    const { transaction } = z.object({ transaction: hexField }).parse(question.fields)
    const signed = parseSigned(transaction)
    const txid = transactionId(signed.raw)
    const refusal = await broadcast(question, signed)
    const decoded = decodeOrNull(signed.raw)
    const signatures = signed.signatures.map(bytesToHex)
    return writeJson({
      result: refusal === null,
      code: refusal?.code ?? 'SUCCESS',
      message: refusal?.message ?? '',
      transaction:
        decoded === null ? '{}' : writeJson(transactionFields(signed.raw, decoded, signatures, true)),
      txid,
    })
  },
}

const extraShape = {
  fee_limit: wholeNumber.optional(),
  Permission_id: wholeNumber.optional(),
  extra_data: hexField.optional(),
}
const transferShape = z.object({ amount: wholeNumber.default(0), ...extraShape })
const callShape = z.object({
  function_selector: z.string().max(1_000).optional(),
  parameter: hexField.default(''),
  data: hexField.default(''),
  call_value: wholeNumber.default(0),
  ...extraShape,
})

/** Answers about a call, and refuses it where there is no contract. */
function aboutCall(
  answer: (question: Question, asked: ReturnType<typeof callOf>) => ReturnType<Answer>,
): Answer {
  return (question) => {
    const asked = callOf(question)
    const code = readState(question, `c:${addressToHex(asked.contract.contract).slice(2)}`)
    if (code !== null) return answer(question, asked)
    const message = 'No contract or not a valid smart contract'
    return refusedCall({ code: 'CONTRACT_VALIDATE_ERROR', message })
  }
}

function callOf(question: Question) {
  const fields = callShape.parse(question.fields)
  const selector = fields.function_selector ?? ''
  const data = selector === '' ? fields.data : tokenCall(selector, [fields.parameter])
  const contract: Extract<ContractCall, { type: 'TriggerSmartContract' }> = {
    type: 'TriggerSmartContract',
    owner: addressField(question, 'owner_address'),
    contract: addressField(question, 'contract_address'),
    callValue: BigInt(fields.call_value),
    data,
  }
  return { contract, extra: extraOf(fields) }
}

function extraOf(fields: z.output<z.ZodObject<typeof extraShape>>) {
  return {
    feeLimit: BigInt(fields.fee_limit ?? 0),
    permissionId: fields.Permission_id ?? 0,
    memo: fields.extra_data ?? '',
  }
}

function trial(
  { node, sight, view }: Question,
  contract: Extract<ContractCall, { type: 'TriggerSmartContract' }>,
): Promise<TrialOutcome> {
  const call = {
    from: contract.owner,
    to: contract.contract,
    value: contract.callValue,
    data: contract.data,
    energyLimit: TRIAL_ENERGY,
  }
  return node.chain.call(view, call, sight)
}

function built(
  { node, sight, visible }: Question,
  contract: ContractCall,
  extra: ReturnType<typeof extraOf>,
): { readonly [key: string]: Json } {
  const transaction = buildTransaction(sight, node.chain.now(), contract, extra)
  return { visible, ...transactionFields(encodeRaw(transaction), transaction, [], visible) }
}

async function broadcast({ node }: Question, signed: SignedBytes): Promise<Refusal | null> {
  const outcome = await node.broadcast(signed)
  if (outcome !== null && 'silence' in outcome) throw new Unanswered(outcome.silence)
  return outcome
}

function refusedCall(refusal: { readonly code: string; readonly message: string }): string {
  return writeJson({ result: { code: refusal.code, message: hexText(refusal.message) } })
}

function reply(txid: string, refusal: Refusal | null, write: (text: string) => string): Json {
  if (refusal === null) return { result: true, txid }
  return { code: refusal.code, txid, message: write(refusal.message) }
}

function parseSigned(hex: string) {
  try {
    return decodeSigned(hexToBytes(hex))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new NodeComplaint('com.google.protobuf.InvalidProtocolBufferException', error.message)
  }
}

function decodeOrNull(raw: Uint8Array): RawTransaction | null {
  try {
    return decodeRaw(raw)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

function invalid(detail: string): NodeComplaint {
  return new NodeComplaint('org.tron.core.exception.ContractValidateException', detail)
}

const signedShape = z.object({
  raw_data: z.object({
    contract: z
      .array(
        z.object({
          type: z.string().max(64),
          parameter: z.object({ value: z.record(z.string(), z.unknown()) }),
          Permission_id: wholeNumber.default(0),
        }),
      )
      .length(1),
    ref_block_bytes: hexField.default(''),
    ref_block_hash: hexField.default(''),
    expiration: wholeNumber.default(0),
    timestamp: wholeNumber.default(0),
    fee_limit: wholeNumber.default(0),
    data: hexField.default(''),
  }),
  raw_data_hex: hexField.optional(),
  signature: z.array(hexField).default([]),
})

const triggerShape = z.object({ call_value: wholeNumber.default(0), data: hexField.default('') })

/**
 * The bytes and signatures of a signed transaction as JSON. As in java-tron the bytes come from `raw_data`: a
 * `raw_data_hex` that says something else changes nothing, and the signature fails.
 * @throws NodeComplaint or a ZodError when there is none
 */
function readTransactionJson(question: Question): SignedBytes {
  const transaction = signedShape.parse(question.fields)
  const signatures = transaction.signature.map((signature) => hexToBytes(signature))
  const { raw_data, raw_data_hex } = transaction
  const [contract] = raw_data.contract
  if (contract === undefined) throw unsupported('none')
  // A contract's ABI is not worth translating back from JSON for a chain of our own.
  if (contract.type === 'CreateSmartContract' && raw_data_hex !== undefined) {
    return { raw: hexToBytes(raw_data_hex), signatures }
  }
  const raw = encodeRaw({
    refBlockBytes: raw_data.ref_block_bytes,
    refBlockHash: raw_data.ref_block_hash,
    expiration: raw_data.expiration,
    timestamp: raw_data.timestamp,
    feeLimit: BigInt(raw_data.fee_limit),
    memo: raw_data.data,
    permissionId: contract.Permission_id,
    contract: contractOf(contract.type, { ...question, fields: contract.parameter.value }),
  })
  return { raw, signatures }
}

function contractOf(type: string, value: Question): ContractCall {
  const owner = addressField(value, 'owner_address')
  if (type === 'TransferContract') {
    const { amount } = transferShape.parse(value.fields)
    return { type, owner, to: addressField(value, 'to_address'), amount: BigInt(amount) }
  }
  if (type === 'TriggerSmartContract') {
    const { call_value, data } = triggerShape.parse(value.fields)
    const contract = addressField(value, 'contract_address')
    return { type, owner, contract, callValue: BigInt(call_value), data }
  }
  throw unsupported(type)
}

function unsupported(type: string): NodeComplaint {
  return new NodeComplaint('java.lang.IllegalArgumentException', `${type} is not a contract this chain runs`)
}
