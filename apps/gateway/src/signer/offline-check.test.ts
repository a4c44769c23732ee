import { encodeTransferCall, transactionId } from '@aval/tron'
import { expect, it } from 'vitest'
import { checkExport } from './offline-check.ts'
import {
  CHAIN_NOW,
  exported,
  exportedTransfer,
  exportedWallet,
  HOT,
  KEYS,
  LIMITS,
  STRANGER,
  transactionOf,
  transferCall,
  USDT,
} from './testing/fixtures.ts'

it('an export that is right may be signed', () => {
  expect(checkExport(exported(), KEYS, LIMITS, new Date(CHAIN_NOW))).toBeNull()
  expect(checkExport(exported(), KEYS, { ...LIMITS, feeLimit: 49n * USDT }, new Date(CHAIN_NOW))).toContain(
    'burn',
  )
})

type Export = ReturnType<typeof exported>
const first =
  (change: (one: Export['transfers'][number]) => object) =>
  (all: Export): Export => ({
    ...all,
    transfers: all.transfers.map((one, index) => (index === 0 ? { ...one, ...change(one) } : one)),
  })
const bytesOf = (raw: Uint8Array) => ({ raw: Buffer.from(raw).toString('hex'), txid: transactionId(raw) })
const paying = (data: string) => bytesOf(transactionOf({ ...transferCall(HOT, exportedWallet(1), 1n), data }))

it.each<[string, (all: Export) => Export, string]>([
  ['of another network', (all) => ({ ...all, network: 'mainnet' }), 'another network'],
  ['of another hot wallet', (all) => ({ ...all, hot: STRANGER }), 'another network, token or hot wallet'],
  ['with one changed byte', first(({ raw }) => ({ raw: `${raw.slice(0, -2)}00` })), 'bytes are of another'],
  ['with another recipient', first(() => ({ to: STRANGER })), 'its bytes pay another address'],
  ['with another amount', first(() => ({ amount: '99.51' })), 'its bytes pay another amount'],
  [
    'with bytes that pay another address',
    first(() => paying(encodeTransferCall(STRANGER, 99_500_000n))),
    'pay another address',
  ],
  ['with another call', first(() => paying('095ea7b3')), 'something else than transfer'],
  [
    'that pays a withdrawal twice',
    first(() => ({ ...exportedTransfer(9), withdrawal: '2' })),
    'pays 2 twice',
  ],
  [
    'that pays the same twice',
    (all) => ({ ...all, transfers: [...all.transfers, exportedTransfer(1)] }),
    'twice',
  ],
])('an export %s is not signed', (_name, change, line) => {
  expect(checkExport(change(exported()), KEYS, LIMITS, new Date(CHAIN_NOW))).toContain(line)
})
