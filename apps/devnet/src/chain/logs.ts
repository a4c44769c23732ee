/** Looking up event logs: for the event service and the explorer pages. */
import { addressFromHex, decodeTransfer, parseAddress, TRANSFER_TOPIC, type TronAddress } from '@aval/tron'
import { z } from 'zod'
import type { StoredTransaction } from './ledger.ts'
import { integer, type Row, type Store, text } from './store.ts'

/** A stored log. Topics and data are hex without "0x"; `timestamp` is its block's, in milliseconds. */
export interface LogEntry {
  readonly block: number
  readonly position: number
  readonly index: number
  readonly timestamp: number
  readonly txid: string
  readonly contract: TronAddress
  readonly topics: readonly string[]
  readonly data: string
}

/** A transfer of some token, decoded. `value` in the token's smallest unit. */
export interface TransferEntry extends LogEntry {
  readonly from: TronAddress
  readonly to: TronAddress
  readonly value: bigint
}

/** Which logs of a contract: by block and time, a page of them. */
export interface LogFilter {
  readonly contract: TronAddress
  readonly topic0: string | null
  readonly blockFrom: number
  readonly blockTo: number
  readonly timeFrom: number
  readonly timeTo: number
  readonly ascending: boolean
  readonly limit: number
  readonly offset: number
}

export function logsOfContract(store: Store, filter: LogFilter): LogEntry[] {
  const order = filter.ascending ? 'asc' : 'desc'
  return store
    .all(
      `select * from logs where contract = ? and (? is null or topic0 = ?) and block between ? and ?
       and timestamp between ? and ?
       order by block ${order}, position ${order}, log_index ${order} limit ? offset ?`,
      filter.contract,
      filter.topic0,
      filter.topic0,
      filter.blockFrom,
      filter.blockTo,
      filter.timeFrom,
      filter.timeTo,
      filter.limit,
      filter.offset,
    )
    .map(asLog)
}

export function logsOfTransaction(store: Store, txid: string): LogEntry[] {
  return store.all('select * from logs where txid = ? order by log_index', txid).map(asLog)
}

const receipt = z.object({
  blockTimeStamp: z.number().default(0),
  log: z
    .array(
      z.object({
        address: z.string(),
        topics: z.array(z.string()).default([]),
        data: z.string().default(''),
      }),
    )
    .default([]),
})

/** The logs in a transaction's receipt. */
export function logsIn(transaction: StoredTransaction): LogEntry[] {
  const { log, blockTimeStamp } = receipt.parse(JSON.parse(transaction.info))
  return log.map(({ address, topics, data }, index) => ({
    block: transaction.block,
    position: transaction.position,
    index,
    timestamp: blockTimeStamp,
    txid: transaction.txid,
    contract: addressFromHex(address),
    topics,
    data,
  }))
}

/** The newest transfers of any token, newest first. */
export function latestTransfers(store: Store, limit: number): TransferEntry[] {
  return store
    .all('select * from logs order by block desc, position desc, log_index desc limit ?', limit * 2)
    .map(asLog)
    .flatMap(asTransfer)
    .slice(0, limit)
}

/**
 * The newest transfers from or to an account, newest first.
 * @param word the account as a topic: 64 hex characters
 */
export function transfersOf(store: Store, word: string, limit: number): TransferEntry[] {
  return store
    .all(
      `select * from (select * from logs where topic1 = ?1 and topic0 = ?2 order by block desc limit ?3)
       union select * from (select * from logs where topic2 = ?1 and topic0 = ?2 order by block desc limit ?3)
       order by block desc, position desc, log_index desc limit ?3`,
      word,
      TRANSFER_TOPIC,
      limit,
    )
    .map(asLog)
    .flatMap(asTransfer)
}

/** The transfers among some logs. */
export function transfersIn(logs: readonly LogEntry[]): TransferEntry[] {
  return logs.flatMap(asTransfer)
}

function asTransfer(log: LogEntry): TransferEntry[] {
  const transfer = decodeTransfer(log)
  return transfer === null ? [] : [{ ...log, from: transfer.from, to: transfer.to, value: transfer.value }]
}

function asLog(row: Row): LogEntry {
  const contract = parseAddress(text(row, 'contract'))
  if (contract === null) throw new Error('a stored log has no contract')
  const topics = text(row, 'topics')
  return {
    block: integer(row, 'block'),
    position: integer(row, 'position'),
    index: integer(row, 'log_index'),
    timestamp: integer(row, 'timestamp'),
    txid: text(row, 'txid'),
    contract,
    topics: topics === '' ? [] : topics.split(','),
    data: text(row, 'data'),
  }
}
