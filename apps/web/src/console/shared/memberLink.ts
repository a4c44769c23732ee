/** What the page of a member shows, in the order of its tabs. */
export const MEMBER_TABS = [
  'movements',
  'investments',
  'payments',
  'withdrawals',
  'network',
  'security',
  'mails',
  'chat',
  'notes',
  'looks',
] as const
export type MemberTab = (typeof MEMBER_TABS)[number]

/** A member's page; the first of its tabs unless another is named. */
export const memberLink = (id: number | string, tab?: MemberTab): string =>
  `/operator/members/${id}${tab === undefined || tab === MEMBER_TABS[0] ? '' : `?tab=${tab}`}`
