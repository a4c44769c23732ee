import type { Db } from '@aval/db'
import { type Reader, say } from '../../core/messages.ts'
import { countUnsent, selectStandstill, selectWaitingCode } from './mail.sql.ts'

/** How many messages wait to be sent, and how many were given up. */
export function countMailBacklog(db: Db): Promise<{ queued: number; given_up: number }> {
  return countUnsent(db)
}

/** For how many seconds the member's newest code has been tried to be sent; null where none waits. @param now system time */
export async function secondsOfWaitingCode(db: Db, memberId: bigint, now: Date): Promise<number | null> {
  const since = await selectWaitingCode(db, memberId)
  return since === null ? null : Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000))
}

/** As long as every message is tried. */
const TRIED_FOR_MS = 3 * 86_400_000

/**
 * The sentence about a mail that was just asked for; where none leaves at present, that it is being tried, and since when. It says the
 * same of every address.
 * @param now system time
 */
export async function withMailState(db: Db, reader: Reader, sentence: string, now: Date): Promise<string> {
  const since = await selectStandstill(db, new Date(now.getTime() - TRIED_FOR_MS))
  if (since === null) return sentence
  const minutes = Math.max(1, Math.ceil((now.getTime() - since.getTime()) / 60_000))
  const state =
    minutes < 120
      ? say(reader, 'mail_stands_still', { minutes })
      : say(reader, 'mail_stands_still_hours', { hours: Math.floor(minutes / 60) })
  return `${sentence} ${state}`
}
