/** What stands in the way, for operators: told in the log once, and kept in the database as long as it lasts. */
import { clearObstacles, noteObstacles, type Obstacle, type ObstacleCode } from './agenda.sql.ts'
import type { PayoutParts } from './parts.ts'

const ALL = { memberId: 0n, withdrawalId: 0n }

/** Of the signer's doing: gone when it signs again, and not before. */
export function isSigners(code: ObstacleCode | null): boolean {
  return code === 'signer_away' || code === 'signer_cap'
}

/** What holds up all withdrawals. */
export async function holdAll(
  parts: PayoutParts,
  obstacle: Pick<Obstacle, 'code' | 'detail'>,
  now: Date,
): Promise<void> {
  await tellObstacles(parts, [{ ...ALL, ...obstacle }], now)
}

/** Nothing holds up all of them any more. */
export async function clearAll({ db, log }: PayoutParts, known: ObstacleCode | null): Promise<void> {
  if (known === null) return
  await clearObstacles(db, [ALL])
  log.info('payout.resumed', { code: known })
}

export async function tellObstacles(
  { db, log }: PayoutParts,
  obstacles: readonly Obstacle[],
  now: Date,
): Promise<void> {
  for (const { withdrawalId, code, detail } of await noteObstacles(db, obstacles, now)) {
    log.warn('payout.held', { code, detail, withdrawal: withdrawalId === 0n ? null : withdrawalId })
  }
}
