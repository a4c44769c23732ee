/**
 * A signed transaction as JSON, as `broadcasttransaction` takes it. As in java-tron the bytes come from
 * `raw_data`: a `raw_data_hex` that says something else changes nothing, and the signature fails.
 */
import { type ContractCall, encodeRaw, type SignedBytes } from '@aval/tron'
import { hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { addressField, hexField, NodeComplaint, type Question, wholeNumber } from './answers.ts'

const shape = z.object({
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

const transfer = z.object({ amount: wholeNumber.default(0) })
const trigger = z.object({ call_value: wholeNumber.default(0), data: hexField.default('') })

/**
 * The bytes and signatures of the transaction in a question.
 * @throws NodeComplaint or a ZodError when there is none
 */
export function readTransactionJson(question: Question): SignedBytes {
  const transaction = shape.parse(question.fields)
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
    const { amount } = transfer.parse(value.fields)
    return { type, owner, to: addressField(value, 'to_address'), amount: BigInt(amount) }
  }
  if (type === 'TriggerSmartContract') {
    const { call_value, data } = trigger.parse(value.fields)
    const contract = addressField(value, 'contract_address')
    return { type, owner, contract, callValue: BigInt(call_value), data }
  }
  throw unsupported(type)
}

function unsupported(type: string): NodeComplaint {
  return new NodeComplaint('java.lang.IllegalArgumentException', `${type} is not a contract this chain runs`)
}
