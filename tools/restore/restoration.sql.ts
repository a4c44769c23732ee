/** What a restored database is told before anybody works with it. */
import { openClient } from '@aval/db/client'

export interface Restoration {
  /** How long a transfer that was signed before may still enter the chain. */
  readonly transferSeconds: number
  /** Whether a signer will say what its journal has. */
  readonly hasSigner: boolean
}

/**
 * Numbers that were given after the backup are known elsewhere: a member's to whoever has the deposit address, a withdrawal's to the
 * signer, an approval's to who signed it. None of them is given twice: each sequence goes on from further.
 */
const LEFT_OUT = 10_000

/**
 * Begins a restoration: no money leaves until the chain is read up to now, and what it shows is booked.
 * @param url of the database's owner, or of a superuser
 */
export async function beginRestoration(
  url: string,
  { transferSeconds, hasSigner }: Restoration,
): Promise<void> {
  const client = openClient(url)
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last_value + $1)
       FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL AND last_value + $1 < max_value`,
      [LEFT_OUT],
    )
    // The chain of the demo has a clock of its own, ahead by that much.
    await client.query(
      `SELECT begin_restoration(clock_timestamp() + $1 * interval '1 second'
         + coalesce((SELECT offset_ms FROM demo_clock), 0) * interval '1 millisecond', $2)`,
      [transferSeconds, hasSigner],
    )
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}
