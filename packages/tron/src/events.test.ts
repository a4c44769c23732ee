import fc from 'fast-check'
import { TronWeb } from 'tronweb'
import { describe, expect, it } from 'vitest'
import { addressFromHex } from './address.ts'
import { decodeTransfer, decodeTransferCall, encodeTransferCall, TRANSFER_TOPIC } from './events.ts'

const contract = addressFromHex('a614f803b6fd780986a42c78ec9c7f77e6ded13c')
const from = '11'.repeat(20).padStart(64, '0')
const to = '22'.repeat(20).padStart(64, '0')
const value = 123_456_789n.toString(16).padStart(64, '0')
const good = { contract, topics: [TRANSFER_TOPIC, from, to], data: value }

describe('transfer events', () => {
  it('are known by the topic that every TRC20 token emits', () => {
    expect(`0x${TRANSFER_TOPIC}`).toBe(TronWeb.sha3('Transfer(address,address,uint256)'))
  })

  it('decode to contract, sender, receiver and value', () => {
    expect(decodeTransfer(good)).toEqual({
      contract,
      from: addressFromHex('11'.repeat(20)),
      to: addressFromHex('22'.repeat(20)),
      value: 123_456_789n,
    })
  })

  it.each([
    ['another event', { ...good, topics: [TRANSFER_TOPIC.replace('d', 'e'), from, to] }],
    ['no topics', { ...good, topics: [] }],
    ['an NFT, whose value is a topic', { ...good, topics: [TRANSFER_TOPIC, from, to, value], data: '' }],
    ['addresses that are no topics', { ...good, topics: [TRANSFER_TOPIC], data: from + to + value }],
    ['a dirty address word', { ...good, topics: [TRANSFER_TOPIC, from, `1${to.slice(1)}`] }],
    ['a short address word', { ...good, topics: [TRANSFER_TOPIC, from, to.slice(24)] }],
    ['short data', { ...good, data: value.slice(2) }],
    ['long data', { ...good, data: `${value}00` }],
    ['no data', { ...good, data: '' }],
  ])('are not seen in %s', (_name, log) => {
    expect(decodeTransfer(log)).toBeNull()
  })
})

describe('transfer calls', () => {
  it('encode as tronweb encodes them, and read back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        (amount, bytes) => {
          const receiver = addressFromHex(Buffer.from(bytes).toString('hex'))
          const data = encodeTransferCall(receiver, amount)
          expect(decodeTransferCall(data)).toEqual({ to: receiver, value: amount })
          const coder = new TronWeb({ fullHost: 'http://127.0.0.1:1' }).utils.abi
          const oracle = coder.encodeParams(['address', 'uint256'], [receiver, amount])
          expect(data).toBe(`a9059cbb${oracle.slice(2)}`)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are not read from other calls or lengths', () => {
    const data = encodeTransferCall(contract, 5n)
    for (const other of ['', data.slice(2), `${data}00`, `b${data.slice(1)}`, data.replace('00', 'zz')]) {
      expect(decodeTransferCall(other)).toBeNull()
    }
  })

  it('refuse values that fit no word', () => {
    expect(() => encodeTransferCall(contract, -1n)).toThrow(RangeError)
    expect(() => encodeTransferCall(contract, 2n ** 256n)).toThrow(RangeError)
  })
})
