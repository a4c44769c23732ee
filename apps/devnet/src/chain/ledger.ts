/** What the chain remembers: blocks, transactions, logs, the state with its recent past, and what waits. */
import { decodeRaw, type TronAddress } from '@aval/tron'
import type { BlockHead } from './block.rules.ts'
import { blob, integer, type Row, type Store, text } from './store.ts'

/** How many blocks back the state can still be read: the solid block must be among them. */
const UNDO_DEPTH = 2_000

/** A transaction in a block. `json` and `info` are the texts a node answers with. */
export interface Included {
  readonly txid: string
  readonly position: number
  readonly owner: TronAddress
  readonly type: string
  readonly raw: Uint8Array
  /** `contractRet`: SUCCESS, REVERT, OUT_OF_ENERGY, … */
  readonly result: string
  readonly json: string
  readonly info: string
  readonly logs: readonly IncludedLog[]
}

/** An event. Topics and data are hex without "0x". */
export interface IncludedLog {
  readonly contract: TronAddress
  readonly topics: readonly string[]
  readonly data: string
}

/** An included transaction as it is read back. */
export interface StoredTransaction {
  readonly txid: string
  readonly block: number
  readonly position: number
  readonly owner: string
  readonly type: string
  readonly raw: Uint8Array
  readonly result: string
  readonly json: string
  readonly info: string
}

/** A transaction that waits for a block. Signatures are hex. */
export interface Pending {
  readonly txid: string
  readonly raw: Uint8Array
  readonly signatures: readonly string[]
}

/** Changed keys of the state; null removes one. */
export type Changes = ReadonlyMap<string, string | null>

export class Ledger {
  readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  head(): BlockHead | null {
    return asBlock(this.store.one('select * from blocks order by number desc limit 1'))
  }

  block(number: number): BlockHead | null {
    return asBlock(this.store.one('select * from blocks where number = ?', number))
  }

  /** The newest blocks at or below `top`, newest first. */
  blocks(top: number, limit: number): BlockHead[] {
    const rows = this.store.all(
      'select * from blocks where number <= ? order by number desc limit ?',
      top,
      limit,
    )
    return rows.flatMap((row) => asBlock(row) ?? [])
  }

  transaction(txid: string): StoredTransaction | null {
    const row = this.store.one('select * from transactions where txid = ?', txid)
    return row === null ? null : asTransaction(row)
  }

  hasTransaction(txid: string): boolean {
    return this.store.one('select 1 from transactions where txid = ?', txid) !== null
  }

  /** How many transactions there ever were. */
  transactionCount(): number {
    return integer(this.store.one('select count(*) as count from transactions') ?? {}, 'count')
  }

  transactionsOf(block: number): StoredTransaction[] {
    return this.store
      .all('select * from transactions where block = ? order by position', block)
      .map(asTransaction)
  }

  /**
   * Adds a block and everything it did. Call it atomically.
   * @param keepFrom the oldest block after which the state must stay readable, if that is older than usual
   */
  append(
    block: BlockHead,
    transactions: readonly Included[],
    changes: Changes,
    keepFrom = Number.MAX_SAFE_INTEGER,
  ): void {
    this.store.run(
      'insert into blocks values (?, ?, ?, ?, ?, ?)',
      block.number,
      block.id,
      block.parentId,
      block.timestamp,
      block.txRoot,
      block.txCount,
    )
    for (const transaction of transactions) this.appendTransaction(block, transaction)
    for (const [key, value] of changes) this.change(block.number, key, value)
    this.store.run('delete from undo where block < ?', Math.min(block.number - UNDO_DEPTH, keepFrom))
  }

  /** A key of the state after the newest block, or after block `at`. */
  read(key: string, at?: number): string | null {
    if (at !== undefined) {
      const past = this.store.one(
        'select previous from undo where key = ? and block > ? order by block limit 1',
        key,
        at,
      )
      if (past !== null) return past['previous'] === null ? null : text(past, 'previous')
    }
    const row = this.store.one('select value from state where key = ?', key)
    return row === null ? null : text(row, 'value')
  }

  /** What waits longest. */
  pending(limit: number): Pending[] {
    return this.store.all('select * from pending order by sequence limit ?', limit).map((row) => ({
      txid: text(row, 'txid'),
      raw: blob(row, 'raw'),
      signatures: text(row, 'signatures').split(','),
    }))
  }

  pendingCount(): number {
    return integer(this.store.one('select count(*) as count from pending') ?? {}, 'count')
  }

  isPending(txid: string): boolean {
    return this.store.one('select 1 from pending where txid = ?', txid) !== null
  }

  addPending(transaction: Pending): void {
    this.store.run(
      'insert into pending (txid, raw, signatures) values (?, ?, ?)',
      transaction.txid,
      transaction.raw,
      transaction.signatures.join(','),
    )
  }

  removePending(txid: string): void {
    this.store.run('delete from pending where txid = ?', txid)
  }

  /** Drops what no block after one of this time (milliseconds) may take. */
  removeExpired(timestamp: number): void {
    for (const { txid, raw } of this.pending(Number.MAX_SAFE_INTEGER)) {
      if (decodeRaw(raw).expiration <= timestamp) this.removePending(txid)
    }
  }

  /** Drops all that waits, and the keys it was paid with. */
  clearPending(): void {
    this.store.run('delete from payments where txid in (select txid from pending)')
    this.store.run('delete from pending')
  }

  /** Drops every block above `number`; only for a chain on which nothing has happened yet. */
  truncate(number: number): void {
    this.store.run('delete from blocks where number > ?', number)
  }

  private appendTransaction(block: BlockHead, transaction: Included): void {
    this.store.run(
      'insert into transactions values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      transaction.txid,
      block.number,
      transaction.position,
      transaction.owner,
      transaction.type,
      transaction.raw,
      transaction.result,
      transaction.json,
      transaction.info,
    )
    transaction.logs.forEach((log, index) => {
      this.store.run(
        'insert into logs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        block.number,
        transaction.position,
        index,
        block.timestamp,
        transaction.txid,
        log.contract,
        log.topics[0] ?? '',
        log.topics[1] ?? null,
        log.topics[2] ?? null,
        log.topics.join(','),
        log.data,
      )
    })
  }

  private change(block: number, key: string, value: string | null): void {
    this.store.run('insert into undo values (?, ?, ?)', key, block, this.read(key))
    if (value === null) this.store.run('delete from state where key = ?', key)
    else {
      this.store.run(
        'insert into state values (?, ?) on conflict (key) do update set value = excluded.value',
        key,
        value,
      )
    }
  }
}

function asBlock(row: Row | null): BlockHead | null {
  if (row === null) return null
  return {
    number: integer(row, 'number'),
    id: text(row, 'id'),
    parentId: text(row, 'parent_id'),
    timestamp: integer(row, 'timestamp'),
    txRoot: text(row, 'tx_root'),
    txCount: integer(row, 'tx_count'),
  }
}

function asTransaction(row: Row): StoredTransaction {
  return {
    txid: text(row, 'txid'),
    block: integer(row, 'block'),
    position: integer(row, 'position'),
    owner: text(row, 'owner'),
    type: text(row, 'type'),
    raw: blob(row, 'raw'),
    result: text(row, 'result'),
    json: text(row, 'json'),
    info: text(row, 'info'),
  }
}
