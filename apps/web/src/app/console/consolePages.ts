import type { Ability } from '@aval/contract'
import type { ComponentType } from 'react'
import type { ConsolePage } from '../../console/shared/place.ts'
import {
  IconArrowDownLeft,
  IconClipboardList,
  IconCoins,
  IconLayoutDashboard,
  IconMessageCircle,
  IconPercentage,
  IconPigMoney,
  type IconProps,
  IconReceipt,
  IconScale,
  IconShieldSearch,
  IconUserShield,
  IconUsers,
  IconWallet,
} from '../../ui/icons.ts'
import { type LazyPart, lazyPart } from '../../ui/lazyPart.ts'

export interface ConsolePlace {
  readonly Icon: ComponentType<IconProps>
  /** Without it the page is left out of the navigation. */
  readonly ability: Ability
  /** Shows everything below its address: `/operator/members` and `/operator/members/7`. */
  readonly Page: LazyPart<object>
}

const page = (
  Icon: ComponentType<IconProps>,
  ability: Ability,
  load: () => Promise<ComponentType>,
): ConsolePlace => ({
  Icon,
  ability,
  Page: lazyPart(async () => ({ default: await load() })),
})

/** The pages of the console that there are. */
export const CONSOLE_PAGES: Readonly<Partial<Record<ConsolePage, ConsolePlace>>> = {
  members: page(IconUsers, 'members.read', async () => (await import('./MembersPage.tsx')).MembersPage),
  today: page(
    IconLayoutDashboard,
    'console.use',
    async () => (await import('../../console/today/components/TodayPage.tsx')).TodayPage,
  ),
  withdrawals: page(
    IconWallet,
    'withdrawals.read',
    async () => (await import('../../console/withdrawals/components/WithdrawalsTab.tsx')).WithdrawalsTab,
  ),
  deposits: page(
    IconArrowDownLeft,
    'deposits.read',
    async () => (await import('../../console/deposits/components/DepositsPage.tsx')).DepositsPage,
  ),
  investments: page(
    IconReceipt,
    'investments.read',
    async () => (await import('../../console/reversals/components/InvestmentsTab.tsx')).InvestmentsTab,
  ),
  support: page(
    IconMessageCircle,
    'support.read',
    async () => (await import('../../console/support/components/SupportTab.tsx')).SupportTab,
  ),
  runs: page(
    IconCoins,
    'runs.read',
    async () => (await import('../../console/payout-runs/components/RunsTab.tsx')).RunsTab,
  ),
  rates: page(
    IconPercentage,
    'runs.read',
    async () => (await import('../../console/plan/components/RatesTab.tsx')).RatesTab,
  ),
  plan: page(
    IconClipboardList,
    'plan.read',
    async () => (await import('../../console/plan/components/PlanTab.tsx')).PlanTab,
  ),
  treasury: page(
    IconPigMoney,
    'treasury.read',
    async () => (await import('../../console/treasury/components/TreasuryPage.tsx')).TreasuryPage,
  ),
  reserves: page(
    IconScale,
    'treasury.read',
    async () => (await import('../../console/reserves/components/ReservesTab.tsx')).ReservesTab,
  ),
  audit: page(
    IconShieldSearch,
    'audit.read',
    async () => (await import('../../console/audit/components/AuditPage.tsx')).AuditPage,
  ),
  operators: page(
    IconUserShield,
    'operators.read',
    async () => (await import('../../console/operators/components/OperatorsPage.tsx')).OperatorsPage,
  ),
}

/** How the navigation groups them. */
export const CONSOLE_GROUPS = {
  people: ['today', 'members', 'withdrawals', 'deposits', 'investments', 'support'],
  paying: ['runs', 'rates', 'plan'],
  money: ['treasury', 'reserves'],
  company: ['audit', 'operators'],
} as const satisfies Readonly<Record<string, readonly ConsolePage[]>>

/** The page at an address, by the part after `/operator/`. */
export function pageAt(rest: string): ConsolePage {
  const [name = ''] = rest.split('/')
  return (name === '' ? 'today' : name) as ConsolePage
}
