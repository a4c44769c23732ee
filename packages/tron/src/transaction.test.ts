import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { addressFromPrivateKey, addressToHex } from './address.ts'
import { FormatError } from './protobuf.ts'
import {
  type ContractCall,
  decodeRaw,
  decodeSigned,
  encodeRaw,
  encodeSigned,
  type RawTransaction,
  recoverSigner,
  signTransaction,
  transactionId,
} from './transaction.ts'

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const hex = (minLength: number, maxLength = minLength) => fc.uint8Array({ minLength, maxLength }).map(toHex)
const secretKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
  const key = Uint8Array.from(bytes)
  key[0] = 1
  return key
})
const address = secretKey.map((key) => addressFromPrivateKey(key))
// tronweb keeps int64 as JavaScript numbers, so the oracle knows safe integers only.
const int64 = fc.maxSafeNat().map(BigInt)

const transfer = fc.record({
  type: fc.constant('TransferContract' as const),
  owner: address,
  to: address,
  amount: int64,
})
const trigger = fc.record({
  type: fc.constant('TriggerSmartContract' as const),
  owner: address,
  contract: address,
  callValue: int64,
  data: hex(4, 200),
})
const creation = fc.record({
  type: fc.constant('CreateSmartContract' as const),
  owner: address,
  abi: fc.constant(''),
  bytecode: hex(1, 200),
  callValue: int64,
  consumeUserResourcePercent: fc.integer({ min: 0, max: 100 }).map(BigInt),
  name: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => !/^(0x)?[0-9a-f]*$/i.test(name)),
  originEnergyLimit: fc.integer({ min: 1, max: 10_000_000 }).map(BigInt),
})
const rawTransaction: fc.Arbitrary<RawTransaction> = fc.record({
  refBlockBytes: hex(2),
  refBlockHash: hex(8),
  expiration: fc.maxSafeNat(),
  timestamp: fc.maxSafeNat(),
  feeLimit: int64,
  memo: hex(0, 40),
  contract: fc.oneof(transfer, trigger, creation),
  permissionId: fc.integer({ min: 0, max: 9 }),
})

/** The same transaction as the JSON that tronweb serialises itself. */
function asTronWebJson(transaction: RawTransaction): object {
  const { contract } = transaction
  return {
    visible: false,
    raw_data: {
      contract: [
        {
          type: contract.type,
          parameter: { value: contractJson(contract) },
          ...(transaction.permissionId > 0 ? { Permission_id: transaction.permissionId } : {}),
        },
      ],
      ref_block_bytes: transaction.refBlockBytes,
      ref_block_hash: transaction.refBlockHash,
      expiration: transaction.expiration,
      timestamp: transaction.timestamp,
      fee_limit: Number(transaction.feeLimit),
      ...(transaction.memo === '' ? {} : { data: transaction.memo }),
    },
  }
}

function contractJson(contract: ContractCall): object {
  const owner_address = addressToHex(contract.owner)
  switch (contract.type) {
    case 'TransferContract':
      return { owner_address, to_address: addressToHex(contract.to), amount: Number(contract.amount) }
    case 'TriggerSmartContract':
      return {
        owner_address,
        contract_address: addressToHex(contract.contract),
        call_value: Number(contract.callValue),
        data: contract.data,
      }
    case 'CreateSmartContract':
      return {
        owner_address,
        new_contract: {
          abi: { entrys: [] },
          bytecode: contract.bytecode,
          call_value: Number(contract.callValue),
          consume_user_resource_percent: Number(contract.consumeUserResourcePercent),
          name: contract.name,
          origin_energy_limit: Number(contract.originEnergyLimit),
        },
      }
  }
}

function reencode(bytes: Uint8Array): string | null {
  try {
    return toHex(encodeRaw(decodeRaw(bytes)))
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError)
    return null
  }
}

/** Checks what must hold of everything that is drawn. */
const always = <Drawn extends [unknown, ...unknown[]]>(
  ...property: [...drawn: { [At in keyof Drawn]: fc.Arbitrary<Drawn[At]> }, holds: (...drawn: Drawn) => void]
) => fc.assert(fc.property(...property), { numRuns: 200 })

describe('transaction bytes', () => {
  it('are, for every kind of transaction, exactly the bytes and the id that tronweb makes', () =>
    always(rawTransaction, (transaction) => {
      const message = utils.transaction.txJsonToPb(asTronWebJson(transaction))
      const raw = encodeRaw(transaction)
      expect(toHex(raw)).toBe(utils.transaction.txPbToRawDataHex(message).toLowerCase())
      expect(transactionId(raw)).toBe(utils.transaction.txPbToTxID(message).replace(/^0x/, ''))
    }))

  it('read back to the same transaction', () =>
    always(rawTransaction, (transaction) => {
      expect(decodeRaw(encodeRaw(transaction))).toEqual(transaction)
    }))

  it('with a byte changed or cut off are either refused or decode as another transaction', () =>
    always(rawTransaction, fc.nat(), fc.integer({ min: 1, max: 255 }), (transaction, at, flip) => {
      const raw = encodeRaw(transaction)
      const place = at % raw.length
      const changed = Uint8Array.from(raw, (byte, index) => (index === place ? byte ^ flip : byte))
      for (const bytes of [changed, raw.slice(0, place)]) {
        const again = reencode(bytes)
        expect(again === null || again === toHex(bytes)).toBe(true)
      }
    }))

  it('with something smuggled in behind them are refused', () =>
    always(rawTransaction, (transaction) => {
      expect(reencode(Uint8Array.of(...encodeRaw(transaction), 0x98, 0x06, 1))).toBeNull()
    }))

  it('never crash the reader, whatever they are', () =>
    always(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(() => decodeRaw(bytes)).toThrow(FormatError)
    }))

  it('carry their signatures and give them back', () => {
    const signatures = fc.array(fc.uint8Array(), { maxLength: 3 })
    always(fc.uint8Array({ minLength: 1 }), signatures, (raw, signatures) => {
      expect(decodeSigned(encodeSigned({ raw, signatures }))).toEqual({
        raw: Uint8Array.from(raw),
        signatures: signatures.map((each) => Uint8Array.from(each)),
      })
    })
  })
})

describe('signatures', () => {
  it('are the ones tronweb makes, and lead back to their signer', async () => {
    const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' })
    await fc.assert(
      fc.asyncProperty(rawTransaction, secretKey, async (transaction, key) => {
        const signed = signTransaction(encodeRaw(transaction), key)
        const signature = toHex(signed.signature)
        const oracle = utils.crypto.signTransaction(toHex(key), { txID: signed.txid, raw_data: {} })
        expect(signature).toBe(String(oracle.signature[0]).replace(/^0x/, '').toLowerCase())
        expect(recoverSigner(signed.txid, signed.signature)).toBe(tronWeb.address.fromPrivateKey(toHex(key)))
        const [carried] = decodeSigned(Uint8Array.from(Buffer.from(signed.hex, 'hex'))).signatures
        expect(carried).toEqual(signed.signature)
      }),
      { numRuns: 30 },
    )
  })

  it('that are invalid recover no signer', () =>
    always(hex(32), fc.uint8Array({ maxLength: 70 }), (txid, bytes) => {
      const signer = recoverSigner(txid, bytes)
      expect(signer === null || bytes.length === 65).toBe(true)
    }))
})
