/** Who sees what needs a person, and who gets a mail about it. */
import {
  may,
  NOTIFICATION_KINDS,
  NOTIFICATION_NAMES,
  type NotificationKind,
  type OperatorRole,
} from '@aval/contract'

/** The kinds that a role sees. */
export const seenBy = (role: OperatorRole): NotificationKind[] =>
  NOTIFICATION_NAMES.filter((kind) => may(role, NOTIFICATION_KINDS[kind].sees))

/** Whether every operator gets a mail about it, whatever they chose: an alert of its own tells them. */
export const isAlwaysMailed = (kind: NotificationKind): boolean => NOTIFICATION_KINDS[kind].mailed === null

/** Whether an operator gets it by mail: as chosen, else what the role's own work is. Never what the role does not see. */
export function isMailed(
  kind: NotificationKind,
  role: OperatorRole,
  choices: Readonly<Record<string, boolean>>,
): boolean {
  const { sees, mailed } = NOTIFICATION_KINDS[kind]
  if (mailed === null || !may(role, sees)) return false
  return choices[kind] ?? may(role, mailed)
}
