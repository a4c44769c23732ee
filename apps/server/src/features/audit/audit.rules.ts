/** Comparing rows of the audit trail with what was sealed of them. */

/** A row as it is now. */
export interface TrailRow {
  readonly id: bigint
  /** Of its columns and of the hash that it says its details have, hexadecimal. */
  readonly hash: string
  /** Whether its details are those that were recorded, or were erased as a member's are. */
  readonly detailsKept: boolean
}

/** What was sealed: hashes by number. */
export type SealedHashes = ReadonlyMap<bigint, string>

function rowFault(row: TrailRow, sealed: SealedHashes, places: ReadonlyMap<string, bigint>): string | null {
  const meant = sealed.get(row.id)
  if (meant === row.hash) return row.detailsKept ? null : 'details altered'
  const place = places.get(row.hash)
  if (place !== undefined) return `reordered: it was sealed as ${place}`
  return meant === undefined ? 'inserted' : 'altered'
}

/** What is wrong with the rows of a seal, in their order: `17: altered`. */
export function compareSealed(sealed: SealedHashes, rows: readonly TrailRow[]): string[] {
  const places = new Map([...sealed].map(([id, hash]) => [hash, id]))
  const present = new Map(rows.map((row) => [row.id, row]))
  const ids = [...new Set([...sealed.keys(), ...present.keys()])].sort((a, b) => (a < b ? -1 : 1))
  return ids.flatMap((id) => {
    const row = present.get(id)
    const fault = row === undefined ? 'missing' : rowFault(row, sealed, places)
    return fault === null ? [] : [`${id}: ${fault}`]
  })
}
