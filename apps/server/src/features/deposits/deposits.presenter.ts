import { type ObservedTransfer, TRANSFER_VERDICTS } from '@aval/contract'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import type { TransferRow } from './deposits.queries.ts'

/** A row of GET operator/transfers/. */
export function presentTransfer(config: Config, row: TransferRow): ObservedTransfer {
  const verdict = TRANSFER_VERDICTS.find((name) => name === row.verdict)
  if (verdict === undefined) throw new Error(`a transfer has no verdict ${row.verdict}`)
  return {
    txid: row.txid,
    position: row.position,
    block: Number(row.block),
    date: row.block_at.toISOString(),
    verdict,
    contract: row.contract,
    from: row.from_address,
    to: row.to_address,
    value: row.value,
    member: row.username,
    explorer_url: explorerUrl(config, row.txid),
  }
}
