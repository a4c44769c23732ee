/** The node's questions that build, try out or hand in transactions. */
import {
  addressToHex,
  type ContractCall,
  decodeRaw,
  decodeSigned,
  encodeRaw,
  FormatError,
  type RawTransaction,
  type TronAddress,
  transactionId,
} from '@aval/tron'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { buildTransaction } from '../chain/dev-wallet.ts'
import { type Json, writeJson } from '../chain/json.ts'
import type { CallOutcome } from '../chain/machine.ts'
import { hexText, resultMessage, transactionFields } from '../chain/shapes.ts'
import type { Refusal } from '../chain/submit.rules.ts'
import { addressField, hexField, NodeComplaint, type Question, wholeNumber } from './answers.ts'
import type { Answer } from './reads.ts'
import { readTransactionJson } from './transaction-json.ts'

/** The most energy a trial run may use; its caller may be anybody, funded or not. */
const TRIAL_ENERGY = 30_000_000n

/** What the solid view answers, too. */
export const TRIALS: Readonly<Record<string, Answer>> = {
  triggerconstantcontract: async (chain, question) => {
    const asked = callOf(question)
    if (!hasCode(chain, asked.contract.contract, question)) return refusedCall(NO_CONTRACT)
    const outcome = await trial(chain, asked.contract, question)
    const failed = outcome.result !== 'SUCCESS'
    return writeJson({
      result: { result: true, ...(failed ? { message: hexText(resultMessage(outcome.result)) } : {}) },
      energy_used: outcome.energyUsed,
      constant_result: [outcome.output],
      transaction: {
        ret: [failed ? { ret: 'FAILED' } : {}],
        ...built(buildTransaction(chain, asked.contract, asked.extra), question.visible),
      },
    })
  },
  estimateenergy: async (chain, question) => {
    const asked = callOf(question)
    if (!hasCode(chain, asked.contract.contract, question)) return refusedCall(NO_CONTRACT)
    const outcome = await trial(chain, asked.contract, question)
    if (outcome.result === 'SUCCESS') {
      return writeJson({ result: { result: true }, energy_required: outcome.energyUsed })
    }
    return refusedCall({ code: 'CONTRACT_EXE_ERROR', message: resultMessage(outcome.result) })
  },
}

export const WRITES: Readonly<Record<string, Answer>> = {
  triggersmartcontract: (chain, question) => {
    const asked = callOf(question)
    if (!hasCode(chain, asked.contract.contract, question)) return refusedCall(NO_CONTRACT)
    const transaction = built(buildTransaction(chain, asked.contract, asked.extra), question.visible)
    return writeJson({ result: { result: true }, transaction })
  },
  createtransaction: (chain, question) => {
    const { amount, ...rest } = transferShape.parse(question.fields)
    const owner = addressField(question, 'owner_address')
    const contract: ContractCall = {
      type: 'TransferContract',
      owner,
      to: addressField(question, 'to_address'),
      amount: BigInt(amount),
    }
    if (contract.amount === 0n) throw invalid('Amount must be greater than 0.')
    if (chain.read(`a:${addressToHex(owner).slice(2)}`, 'head') === null) {
      throw invalid('Validate TransferContract error, no OwnerAccount.')
    }
    return writeJson(built(buildTransaction(chain, contract, extraOf(rest)), question.visible))
  },
  broadcasttransaction: async (chain, question) => {
    const signed = readTransactionJson(question)
    const refusal = await chain.submit(signed)
    return writeJson(reply(transactionId(signed.raw), refusal, question.visible ? (text) => text : hexText))
  },
  broadcasthex: async (chain, question) => {
    const { transaction } = z.object({ transaction: hexField }).parse(question.fields)
    const signed = parseSigned(transaction)
    const txid = transactionId(signed.raw)
    const refusal = await chain.submit(signed)
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

const NO_CONTRACT = { code: 'CONTRACT_VALIDATE_ERROR', message: 'No contract or not a valid smart contract' }

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

function callOf(question: Question) {
  const fields = callShape.parse(question.fields)
  const selector = fields.function_selector ?? ''
  const data = selector === '' ? fields.data : selectorBytes(selector) + fields.parameter
  const contract: Extract<ContractCall, { type: 'TriggerSmartContract' }> = {
    type: 'TriggerSmartContract',
    owner: addressField(question, 'owner_address'),
    contract: addressField(question, 'contract_address'),
    callValue: BigInt(fields.call_value),
    data,
  }
  return { contract, extra: extraOf(fields) }
}

function extraOf(fields: {
  fee_limit?: number | undefined
  Permission_id?: number | undefined
  extra_data?: string | undefined
}) {
  return {
    feeLimit: BigInt(fields.fee_limit ?? 0),
    permissionId: fields.Permission_id ?? 0,
    memo: fields.extra_data ?? '',
  }
}

function hasCode(chain: Chain, contract: TronAddress, question: Question): boolean {
  return chain.read(`c:${addressToHex(contract).slice(2)}`, question.view) !== null
}

function trial(
  chain: Chain,
  contract: Extract<ContractCall, { type: 'TriggerSmartContract' }>,
  question: Question,
): Promise<CallOutcome> {
  return chain.call(question.view, {
    from: contract.owner,
    to: contract.contract,
    value: contract.callValue,
    data: contract.data,
    energyLimit: TRIAL_ENERGY,
  })
}

function built(transaction: RawTransaction, visible: boolean): { readonly [key: string]: Json } {
  return { visible, ...transactionFields(encodeRaw(transaction), transaction, [], visible) }
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

function selectorBytes(selector: string): string {
  return bytesToHex(keccak_256(utf8ToBytes(selector)).subarray(0, 4))
}

function invalid(detail: string): NodeComplaint {
  return new NodeComplaint('org.tron.core.exception.ContractValidateException', detail)
}
