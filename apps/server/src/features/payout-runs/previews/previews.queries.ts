import type { Db } from '@aval/db'
import { readId } from '../../../core/ids.ts'
import { Refusal } from '../../../core/refusal.ts'
import { type StoredPreview, selectPreview } from './previews.sql.ts'

/** A preview of a plan, as far as it is computed. */
export type AskedPreview = StoredPreview

const HASH = /^[0-9a-f]{64}$/

/** By its number, or the last of a document by its SHA-256. @throws Refusal where there is none */
export async function readPreview(db: Db, key: string): Promise<AskedPreview> {
  const found = await selectPreview(db, HASH.test(key) ? { sha256: key } : { id: readId(key) ?? 0n })
  if (found === undefined) throw new Refusal('plan_preview_not_found')
  return found
}
