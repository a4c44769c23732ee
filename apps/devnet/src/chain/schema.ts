/** The tables of the chain's database, and the version of that layout. */

/** Raised whenever the layout changes; a newer one than ours is refused at the start. */
export const SCHEMA_VERSION = 1

/**
 * `state` is the world after the newest block; `undo` holds, for every key a recent block changed, what stood
 * there before, from which the world after any recent block (the solid one) is read.
 */
export const SCHEMA = `
create table if not exists meta (key text primary key, value text not null) without rowid;
create table if not exists state (key text primary key, value text not null) without rowid;
create table if not exists undo (
  key text not null, block integer not null, previous text, primary key (key, block)
) without rowid;
create index if not exists undo_by_block on undo (block);
create table if not exists blocks (
  number integer primary key, id text not null unique, parent_id text not null,
  timestamp integer not null, tx_root text not null, tx_count integer not null
);
create table if not exists transactions (
  txid text primary key, block integer not null, position integer not null, owner text not null,
  type text not null, raw blob not null, result text not null, json text not null, info text not null
);
create unique index if not exists transactions_by_block on transactions (block, position);
create index if not exists transactions_by_owner on transactions (owner, block);
create table if not exists logs (
  block integer not null, position integer not null, log_index integer not null, timestamp integer not null,
  txid text not null, contract text not null, topic0 text not null, topic1 text, topic2 text,
  topics text not null, data text not null, primary key (block, position, log_index)
) without rowid;
create index if not exists logs_by_contract on logs (contract, block);
create index if not exists logs_by_tx on logs (txid);
create index if not exists logs_by_topic1 on logs (topic1, block);
create index if not exists logs_by_topic2 on logs (topic2, block);
create table if not exists pending (
  sequence integer primary key autoincrement, txid text not null unique, raw blob not null, signatures text not null
);
create table if not exists payments (key text primary key, request text not null, txid text not null) without rowid;
`
