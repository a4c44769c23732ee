/** What the chain remembers: blocks, transactions, logs, the state with its recent past, and what waits. */
import { decodeRaw, type TronAddress } from '@aval/tron'
import { z } from 'zod'
import type { BlockHead } from './block.rules.ts'
import { Spans } from './spans.ts'
import { type Store, valueRow } from './store.ts'

/** How many blocks back the state can still be read: the solid block must be among them. */
const UNDO_DEPTH = 2_000

const BLOCK = 'number, id, parent_id as parentId, timestamp, tx_root as txRoot, tx_count as txCount'
const blockRow: z.ZodType<BlockHead> = z.object({
  number: z.number(),
  id: z.string(),
  parentId: z.string(),
  timestamp: z.number(),
  txRoot: z.string(),
  txCount: z.number(),
})

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)
const transactionRow = z.object({
  txid: z.string(),
  block: z.number(),
  position: z.number(),
  owner: z.string(),
  type: z.string(),
  raw: bytes,
  /** `contractRet`: SUCCESS, REVERT, OUT_OF_ENERGY, … */
  result: z.string(),
  /** The texts a node answers with: the transaction and its receipt. */
  json: z.string(),
  info: z.string(),
})
const countRow = z.object({ count: z.number() })
const pendingRow = z.object({
  txid: z.string(),
  raw: bytes,
  signatures: z.string().transform((text) => text.split(',')),
})

export type StoredTransaction = Readonly<z.infer<typeof transactionRow>>

/** One that is about to be stored, with its events. */
export interface Included extends StoredTransaction {
  readonly logs: readonly IncludedLog[]
}

/** An event. Topics and data are hex without "0x". */
export interface IncludedLog {
  readonly contract: TronAddress
  readonly topics: readonly string[]
  readonly data: string
}

/** A transaction that waits for a block. Signatures are hex. */
export interface Pending {
  readonly txid: string
  readonly raw: Uint8Array
  readonly signatures: readonly string[]
}

/** A key of the state; null where there is none. */
export type ReadKey = (key: string) => string | null
/** Changed keys of the state; null removes one. */
export type Changes = ReadonlyMap<string, string | null>

export class Ledger {
  readonly store: Store
  private readonly spans: Spans

  constructor(store: Store) {
    this.store = store
    const sql = `select ${BLOCK} from blocks where number between ? and ? order by number`
    this.spans = new Spans(store, (first, last) => store.all(blockRow, sql, first, last))
  }

  head(): BlockHead | null {
    return this.store.one(blockRow, `select ${BLOCK} from blocks order by number desc limit 1`)
  }

  block(number: number): BlockHead | null {
    const stored = this.store.one(blockRow, `select ${BLOCK} from blocks where number = ?`, number)
    return stored ?? (number > 0 ? this.spans.block(number) : null)
  }

  /** Packs the next old blocks that are due. An older version's chain catches up a thousand blocks with each new one. */
  pack(): void {
    const head = this.head()?.number ?? 0
    this.store.atomically(() => this.spans.packNext(head, (first) => this.block(first - 1)))
  }

  /** The newest blocks at or below `top`, newest first. */
  blocks(top: number, limit: number): BlockHead[] {
    const sql = `select ${BLOCK} from blocks where number <= ? order by number desc limit ?`
    return this.store.all(blockRow, sql, top, limit)
  }

  transaction(txid: string): StoredTransaction | null {
    return this.store.one(transactionRow, 'select * from transactions where txid = ?', txid)
  }

  hasTransaction(txid: string): boolean {
    return this.store.has('select 1 from transactions where txid = ?', txid)
  }

  transactionsOf(block: number): StoredTransaction[] {
    const sql = 'select * from transactions where block = ? order by position'
    return this.store.all(transactionRow, sql, block)
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
    const sql = 'insert into blocks values (:number, :id, :parentId, :timestamp, :txRoot, :txCount)'
    this.store.insert(sql, { ...block })
    for (const transaction of transactions) this.appendTransaction(block, transaction)
    for (const [key, value] of changes) this.change(block.number, key, value)
    this.store.run('delete from undo where block < ?', Math.min(block.number - UNDO_DEPTH, keepFrom))
  }

  /** A key of the state after the newest block, or after block `at`. */
  read(key: string, at?: number): string | null {
    const undo = 'select previous as value from undo where key = ? and block > ? order by block limit 1'
    const past = at === undefined ? null : this.store.one(valueRow, undo, key, at)
    const stored = past ?? this.store.one(valueRow, 'select value from state where key = ?', key)
    return stored?.value ?? null
  }

  /** Reads the state after a block. */
  stateAfter(number: number): ReadKey {
    // The newest state is stored as it is; one before it is put together, which takes one more look-up a key.
    return this.head()?.number === number ? (key) => this.read(key) : (key) => this.read(key, number)
  }

  /** What waits longest. */
  pending(limit: number): Pending[] {
    return this.store.all(pendingRow, 'select * from pending order by sequence limit ?', limit)
  }

  pendingCount(): number {
    return this.store.one(countRow, 'select count(*) as count from pending')?.count ?? 0
  }

  isPending(txid: string): boolean {
    return this.store.has('select 1 from pending where txid = ?', txid)
  }

  addPending({ txid, raw, signatures }: Pending): void {
    const sql = 'insert into pending (txid, raw, signatures) values (?, ?, ?)'
    this.store.run(sql, txid, raw, signatures.join(','))
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

  /** Whether a transaction was ever included or is waiting. */
  isUsed(): boolean {
    return this.store.has('select 1 from transactions') || this.pendingCount() > 0
  }

  /** Drops every block above `number`; only for a chain on which nothing has happened yet. */
  truncate(number: number): void {
    this.store.run('delete from blocks where number > ?', number)
    this.spans.clear()
  }

  private appendTransaction(block: BlockHead, { logs, ...transaction }: Included): void {
    this.store.insert(
      `insert into transactions values
         (:txid, :block, :position, :owner, :type, :raw, :result, :json, :info)`,
      { ...transaction },
    )
    for (const [index, { contract, topics, data }] of logs.entries()) {
      this.store.insert(
        `insert into logs values
           (:block, :position, :index, :timestamp, :txid, :contract, :topic0, :topic1, :topic2, :topics, :data)`,
        {
          ...{ block: block.number, position: transaction.position, index, timestamp: block.timestamp },
          ...{ txid: transaction.txid, contract, data, topics: topics.join(',') },
          ...{ topic0: topics[0] ?? '', topic1: topics[1] ?? null, topic2: topics[2] ?? null },
        },
      )
    }
  }

  private change(block: number, key: string, value: string | null): void {
    this.store.run('insert into undo values (?, ?, ?)', key, block, this.read(key))
    if (value === null) this.store.run('delete from state where key = ?', key)
    else this.store.run('insert or replace into state values (?, ?)', key, value)
  }
}
