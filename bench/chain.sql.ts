/** What the benchmarks of the chain write and ask, as the owner of the tables. */
import type pg from 'pg'

/** Sets the database up for the development chain, with these deposit addresses of members 1, 2, … */
export async function installChain(
  owner: pg.Pool,
  usdt: string,
  xpub: string,
  addresses: readonly string[],
): Promise<void> {
  await owner.query(
    "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', $1, $2)",
    [usdt, xpub],
  )
  await owner.query(
    'INSERT INTO deposit_address (address, member_id) SELECT a, n FROM unnest($1::text[]) WITH ORDINALITY AS t (a, n)',
    [addresses],
  )
}

export async function countTransfers(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM incoming_transfer')
  return rows[0]?.n ?? 0
}
