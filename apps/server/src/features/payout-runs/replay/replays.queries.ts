import type { Db } from '@aval/db'
import { type StoredReplay, selectReplays } from './replays.sql.ts'

/** A run computed again, or waiting for it. */
export type AskedReplay = StoredReplay

const MOST_SHOWN = 10

/** How often a run was computed again, newest first. */
export const replaysOf = (db: Db, runId: bigint): Promise<AskedReplay[]> =>
  selectReplays(db, runId, MOST_SHOWN)
