/** Why approved withdrawals wait: kept in the database for operators as long as it lasts, and logged once. */
import type { OutgoingContext } from './context.ts'
import { clearDelays, type Delay, type DelayCode, saveDelays } from './outgoing.sql.ts'

const ALL = { memberId: 0n, withdrawalId: 0n }

/** Caused by the signer: over when it signs again, and not before. */
export function isSignerDelay(code: DelayCode | null): boolean {
  return code === 'signer_away' || code === 'signer_cap'
}

export async function delayAll(
  context: OutgoingContext,
  delay: Pick<Delay, 'code' | 'detail'>,
  now: Date,
): Promise<void> {
  await delayEach(context, [{ ...ALL, ...delay }], now)
}

/** Ends the delay of all withdrawals, if there is one. */
export async function resumeAll({ db, log }: OutgoingContext, known: DelayCode | null): Promise<void> {
  if (known === null) return
  await clearDelays(db, [ALL])
  log.info('outgoing.resumed', { code: known })
}

export async function delayEach(
  { db, log }: OutgoingContext,
  delays: readonly Delay[],
  now: Date,
): Promise<void> {
  for (const { withdrawalId, code, detail } of await saveDelays(db, delays, now)) {
    log.warn('outgoing.delayed', { code, detail, withdrawal: withdrawalId === 0n ? null : withdrawalId })
  }
}
