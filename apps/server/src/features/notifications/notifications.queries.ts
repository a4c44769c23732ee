import type { NotificationSettings, NotificationsPage, OperatorRole } from '@aval/contract'
import type { Db } from '@aval/db'
import { isAlwaysMailed, isMailed, seenBy } from './notifications.rules.ts'
import { selectChoices, selectShown } from './notifications.sql.ts'

const SHOWN = 50

interface Reader {
  readonly memberId: bigint
  readonly role: OperatorRole
}

/** What the operator's role sees. */
export async function readNotifications(db: Db, { memberId, role }: Reader): Promise<NotificationsPage> {
  const rows = await selectShown(db, memberId, seenBy(role), SHOWN)
  return {
    unread: rows.filter(({ read }) => !read).length,
    results: rows.map(({ id, at, over_at, kind, subject, words, read }) => ({
      id: Number(id),
      kind,
      subject,
      words: { ...words },
      at: at.toISOString(),
      over_at: over_at?.toISOString() ?? null,
      read,
    })),
  }
}

export async function readSettings(db: Db, { memberId, role }: Reader): Promise<NotificationSettings> {
  const choices = await selectChoices(db, memberId)
  return {
    kinds: seenBy(role).map((kind) => {
      const always = isAlwaysMailed(kind)
      return { kind, always, mailed: always || isMailed(kind, role, choices) }
    }),
  }
}
