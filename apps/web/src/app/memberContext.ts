import type { CurrentUser } from '@aval/contract'
import { useOutletContext } from 'react-router'

/** What the shell gives every page inside it. */
export interface MemberContext {
  /** Undefined until the first answer. */
  user: CurrentUser | undefined
  onInvest: () => void
}

export const useMember = (): MemberContext => useOutletContext<MemberContext>()
