import type { CurrentUser } from '@aval/contract'
import type { InvestStart } from '../features/investments/components/InvestDialog.tsx'

/** What the shell gives every page inside it. */
export interface MemberContext {
  /** Undefined until the first answer. */
  user: CurrentUser | undefined
  onInvest: () => void
  /** Opens the invest dialog where an invoice was left, or with the balance chosen. */
  onInvestAt: (start: InvestStart) => void
}
