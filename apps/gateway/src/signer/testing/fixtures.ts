/** Addresses, limits, times and transfers for tests. The keys are the development chain's. */
import { challengeOf, listOf } from '@aval/approvals'
import { createAuthenticator } from '@aval/approvals/testing'
import {
  type ContractCall,
  DEVNET,
  depositAddress,
  devnetAddress,
  encodeRaw,
  type RawTransaction,
  transferCall as tokenTransfer,
  transactionId,
} from '@aval/tron'
import { devnetKeys } from '../keys/devnet-keys.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { newPolicy } from '../policy.rules.ts'
import type { Limits } from '../signing.rules.ts'

export const XPUB = DEVNET.xpub
export const HOT = devnetAddress('hotWallet')
export const COLD = devnetAddress('coldWallet')
export const STRANGER = devnetAddress('faucet')
export const KEYS = createKeyRing(devnetKeys())
export const USDT = 1_000_000n
export const LIMITS: Limits = { feeLimit: 100n * USDT, topUp: 50n * USDT }
/** The chain's clock runs ninety days ahead of ours, as a demo's may. */
export const CHAIN_NOW = Date.UTC(2030, 3, 1)
export const SYSTEM_NOW = new Date(Date.UTC(2030, 0, 1))
export const MINUTE = 60_000

export const transferCall = tokenTransfer.bind(null, DEVNET.usdt)

/** A correct transaction that makes this call, valid for a minute; encoded after `changes`. */
export function transactionOf(contract: ContractCall, changes: Partial<RawTransaction> = {}): Uint8Array {
  return encodeRaw({
    refBlockBytes: '0102',
    refBlockHash: '0102030405060708',
    timestamp: CHAIN_NOW,
    expiration: CHAIN_NOW + MINUTE,
    feeLimit: 0n,
    memo: '',
    permissionId: 0,
    contract,
    ...changes,
  })
}

/** Transfers between our own addresses, as they should be: rows, and what their bytes call. */
export const DEPOSIT = depositAddress(XPUB, 5)
export const sweepCall = transferCall(DEPOSIT, HOT, 7n * USDT)
export const topUpCall = { type: 'TransferContract', owner: HOT, to: DEPOSIT, amount: 30n * USDT } as const
export const OWN_TRANSFERS = {
  sweep: { row: { memberId: 5n, from: DEPOSIT, to: HOT, amount: 7n * USDT }, call: sweepCall },
  trx_topup: { row: { memberId: 5n, from: HOT, to: DEPOSIT, amount: 30n * USDT }, call: topUpCall },
  surplus: {
    row: { memberId: 0n, from: HOT, to: COLD, amount: 9n * USDT },
    call: transferCall(HOT, COLD, 9n * USDT),
  },
}

/** An export of the gateway: three withdrawals of 99.50 USDT, numbered 1 to 3, of members 101 to 103. */
export const exportedWallet = (index: number) => depositAddress(XPUB, 7_000 + index)
export function exportedTransfer(index: number) {
  const call = transferCall(HOT, exportedWallet(index), 99_500_000n)
  const raw = transactionOf(call, { expiration: CHAIN_NOW + 720 * MINUTE, feeLimit: 50n * USDT })
  return {
    txid: transactionId(raw),
    raw: Buffer.from(raw).toString('hex'),
    to: String(exportedWallet(index)),
    amount: '99.50',
    withdrawal: String(index),
    member: String(100 + index),
    asked: '100.00',
    fee: '0.50',
    member_key: null,
    earlier: [],
  }
}

const approving = createAuthenticator('http://localhost:3002')
/** A key file in which one operator, number 1, approves. */
export const APPROVED_KEYS = createKeyRing({
  ...devnetKeys(),
  policy: {
    ...newPolicy('devnet'),
    version: 1,
    origin: 'http://localhost:3002',
    rpId: 'localhost',
    membersOrigin: 'http://localhost:3000',
    membersRpId: 'localhost',
    approvers: [
      { memberId: 1n, name: 'Ana', passkeys: [{ ...approving.passkey, addedAt: new Date(0).toISOString() }] },
    ],
  },
})
/** That operator's approval of exported transfers. */
export function exportedApproval(
  transfers: readonly ReturnType<typeof exportedTransfer>[],
  { expiresAt = CHAIN_NOW + 600 * MINUTE, by = approving, operator = '1' } = {},
) {
  const rows = transfers.map(({ withdrawal, member, to }) => ({
    withdrawalId: BigInt(withdrawal),
    memberId: BigInt(member),
    amount: 100n * USDT,
    fee: 500_000n,
    wallet: to,
  }))
  const nonce = 'ab'.repeat(32)
  const { root, count } = listOf(rows)
  const request = { network: 'devnet', purpose: 'withdrawals', expiresAt, nonce, root, count } as const
  return {
    operator,
    network: 'devnet',
    purpose: 'withdrawals',
    expires_at: new Date(expiresAt).toISOString(),
    nonce,
    root,
    rows: transfers.map(
      ({ withdrawal, member, asked, fee, to }): [string, string, string, string, string] => [
        withdrawal,
        member,
        asked,
        fee,
        to,
      ],
    ),
    proof: by.approve(challengeOf(request)),
  }
}
export const exported = () => {
  const transfers = [exportedTransfer(1), exportedTransfer(2), exportedTransfer(3)]
  return {
    network: 'devnet',
    usdt: String(DEVNET.usdt),
    hot: String(HOT),
    made_at: new Date(CHAIN_NOW).toISOString(),
    transfers,
    approvals: [exportedApproval(transfers)],
  }
}
