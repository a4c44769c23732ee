import type { LockedPrincipal } from '@aval/contract'
import { formatAmount } from '@aval/money'
import type { Lock } from '@aval/plan'

const MOST_PARTS_LISTED = 100

/** What is locked until when, as it travels. */
export const presentLocked = ({ locked, lockedAmount }: Lock): LockedPrincipal => ({
  amount: formatAmount(lockedAmount),
  count: locked.length,
  parts: locked.slice(0, MOST_PARTS_LISTED).map(({ amount, investedAt, unlocksAt }) => ({
    amount: formatAmount(amount),
    invested_at: investedAt.toISOString(),
    unlocks_at: unlocksAt.toISOString(),
  })),
})
