/** Checks a signature made on another machine against what was exported, byte by byte. */
import { decodeRaw, decodeTransferCall, recoverSigner, type TronAddress, transactionId } from '@aval/tron'

export interface SignedOffline {
  readonly txid: string
  readonly raw: Uint8Array
  readonly signature: Uint8Array
}

/** What the database has under this txid, and what its withdrawal says is to be sent. */
export interface StoredTransfer {
  readonly raw: Uint8Array
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly offline: boolean
  readonly approved: { readonly state: string; readonly to: string; readonly amount: bigint }
}

export type ImportFault =
  | 'unknown'
  | 'not_offline'
  | 'txid_differs'
  | 'bytes_differ'
  | 'wrong_signer'
  | 'wrong_transfer'
  | 'not_approved'

/** What is wrong with it; null when it may be stored. */
export function importFault(
  signed: SignedOffline,
  stored: StoredTransfer | null,
  pins: { readonly usdt: TronAddress; readonly hot: TronAddress },
): ImportFault | null {
  if (transactionId(signed.raw) !== signed.txid) return 'txid_differs'
  if (stored === null) return 'unknown'
  if (!stored.offline) return 'not_offline'
  if (Buffer.compare(stored.raw, signed.raw) !== 0) return 'bytes_differ'
  if (recoverSigner(signed.txid, signed.signature) !== pins.hot) return 'wrong_signer'
  const { approved } = stored
  if (approved.state !== 'approved') return 'not_approved'
  const isApproved = approved.to === stored.to && approved.amount === stored.amount
  return isApproved && stored.from === pins.hot && moves(signed.raw, stored, pins) ? null : 'wrong_transfer'
}

/** Whether the bytes are this transfer of the token, and nothing else. */
function moves(
  raw: Uint8Array,
  { to, amount }: Pick<StoredTransfer, 'to' | 'amount'>,
  pins: { readonly usdt: TronAddress; readonly hot: TronAddress },
): boolean {
  const { contract, memo, permissionId } = decodeRaw(raw)
  if (contract.type !== 'TriggerSmartContract' || contract.callValue !== 0n) return false
  if (contract.owner !== pins.hot || contract.contract !== pins.usdt) return false
  const transfer = decodeTransferCall(contract.data)
  return transfer?.to === to && transfer.value === amount && memo === '' && permissionId === 0
}
