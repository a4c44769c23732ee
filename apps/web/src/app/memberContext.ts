import type { CurrentUser } from '@aval/contract'

/** What the shell gives every page inside it. */
export interface MemberContext {
  /** Undefined until the first answer. */
  user: CurrentUser | undefined
  onInvest: () => void
}
