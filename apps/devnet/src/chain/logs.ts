/** Transfers by their event logs: for the explorer pages. */
import { decodeTransfer, TRANSFER_TOPIC } from '@aval/tron'
import { z } from 'zod'
import { addressText } from './fields.ts'
import type { Store } from './store.ts'

/** A stored log. Topics and data are hex without "0x"; `timestamp` is its block's, in milliseconds. */
const logRow = z.object({
  timestamp: z.number(),
  txid: z.string(),
  contract: addressText,
  topics: z.string().transform((text) => (text === '' ? [] : text.split(','))),
  data: z.string(),
})
type LogEntry = z.infer<typeof logRow>

/** A transfer of some token. `value` in the token's smallest unit. */
export type TransferEntry = ReturnType<typeof asTransfer>[number]

export function transfersOfTransaction(store: Store, txid: string): TransferEntry[] {
  return store.all(logRow, 'select * from logs where txid = ? order by log_index', txid).flatMap(asTransfer)
}

/** The newest transfers of any token, newest first. */
export function latestTransfers(store: Store, limit: number): TransferEntry[] {
  const sql = 'select * from logs order by block desc, position desc, log_index desc limit ?'
  return store
    .all(logRow, sql, limit * 2)
    .flatMap(asTransfer)
    .slice(0, limit)
}

/**
 * The newest transfers from or to an account, newest first.
 * @param word the account as a topic: 64 hex characters
 */
export function transfersOf(store: Store, word: string, limit: number): TransferEntry[] {
  const sql = `select * from (select * from logs where topic1 = ?1 and topic0 = ?2 order by block desc limit ?3)
       union select * from (select * from logs where topic2 = ?1 and topic0 = ?2 order by block desc limit ?3)
       order by block desc, position desc, log_index desc limit ?3`
  return store.all(logRow, sql, word, TRANSFER_TOPIC, limit).flatMap(asTransfer)
}

function asTransfer(log: LogEntry) {
  const transfer = decodeTransfer(log)
  return transfer === null ? [] : [{ ...log, ...transfer }]
}
