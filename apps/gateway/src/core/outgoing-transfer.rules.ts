export type Purpose = 'withdrawal' | 'sweep' | 'trx_topup' | 'surplus'

/** A transfer of ours, as it is stored. It is open while it may still enter the chain: prepared or signed, not closed. */
export interface OutgoingTransfer {
  readonly txid: string
  readonly purpose: Purpose
  readonly from: string
  readonly to: string
  /** Micro-USDT; sun for a TRX top-up. */
  readonly amount: bigint
}
