/** What the database tells reaches the open streams of this process. */
import type { Context } from '../../core/context.ts'
import { listen } from '../../core/notifications.ts'
import { readLiveSessions } from './events.queries.ts'
import { isForOperators, type Notice, parseNotice } from './events.rules.ts'
import type { Streams } from './streams.ts'

const CHANNEL = 'member_notices'
const LOOK_AFTER_MS = 1000

/** Ends streams whose session has ended: those of a notice's members, or all that are open. */
async function endRevoked({ db }: Context, streams: Streams, notice: Notice | null): Promise<void> {
  const holders = streams.holders(notice)
  if (holders.length === 0) return
  const live = await readLiveSessions(db, holders)
  streams.endUnless((sessionId) => live.has(sessionId), holders)
}

/** From now on streams get what changes, and end with their sessions. */
export function followNotices(context: Context, streams: Streams): { stop(): Promise<void> } {
  // Where the database cannot be asked the listening connection is lost as well, and all are checked once it is back.
  const check = (notice: Notice | null) => endRevoked(context, streams, notice).catch(() => undefined)
  const listening = listen(context.config.databaseUrl, {
    channel: CHANNEL,
    name: 'aval-api',
    heard: (payload) => {
      const notice = parseNotice(payload)
      if (notice === null) return
      if (notice.kind === 'sessions') void check(notice)
      else void streams.tell(notice)
      if (isForOperators(notice)) streams.tellOperators()
    },
    listening: () => {
      void check(null)
      void streams.refresh()
    },
  })
  const timer = setInterval(() => streams.lookAfter(), LOOK_AFTER_MS)
  return {
    stop() {
      clearInterval(timer)
      return listening.stop()
    },
  }
}
