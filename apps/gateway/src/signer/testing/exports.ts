/** An export of the gateway as it should be: three withdrawals of 99.50 USDT, numbered 1 to 3. */
import { DEVNET, depositAddress, encodeRaw, transactionId } from '@aval/tron'
import { CHAIN_NOW, HOT, MINUTE, transferCall, USDT, XPUB } from './facts.ts'

export const exportedWallet = (index: number) => depositAddress(XPUB, 7_000 + index)
export function exportedPayment(index: number, timestamp = CHAIN_NOW) {
  const raw = encodeRaw({
    refBlockBytes: '0102',
    refBlockHash: '0102030405060708',
    timestamp,
    expiration: timestamp + 720 * MINUTE,
    feeLimit: 50n * USDT,
    memo: '',
    permissionId: 0,
    contract: transferCall(HOT, exportedWallet(index), 99_500_000n),
  })
  return {
    txid: transactionId(raw),
    raw: Buffer.from(raw).toString('hex'),
    to: String(exportedWallet(index)),
    amount: '99.50',
    withdrawal: String(index),
  }
}
export const exported = () => ({
  network: 'devnet',
  usdt: String(DEVNET.usdt),
  hot: String(HOT),
  made_at: new Date(CHAIN_NOW).toISOString(),
  payments: [exportedPayment(1), exportedPayment(2), exportedPayment(3)],
})
