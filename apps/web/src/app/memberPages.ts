import { part } from './i18n.ts'

/** The namespaces of the operator console, one for each noun. */
const CONSOLE = [
  'shared',
  'withdrawals',
  'overview',
  'deposits',
  'reserves',
  'payout-runs',
  'plan',
  'reversals',
  'support',
].map((noun) => `console/${noun}`)

export const DashboardPage = part(
  async () => (await import('./MemberDashboard.tsx')).MemberDashboard,
  'dashboard',
  'reserves',
)
export const OperatorPage = part(async () => (await import('./OperatorPage.tsx')).OperatorPage, ...CONSOLE)
export const EarningsPage = part(
  async () => (await import('../features/earnings/components/EarningsPage.tsx')).EarningsPage,
  'earnings',
)
export const ReferralsPage = part(
  async () => (await import('../features/genealogy/referrals/components/ReferralsPage.tsx')).ReferralsPage,
  'genealogy/referrals',
)
export const HistoryPage = part(
  async () => (await import('../features/investments/components/HistoryPage.tsx')).HistoryPage,
  'investments',
)
export const WithdrawalsPage = part(
  async () => (await import('../features/withdrawals/components/WithdrawalsPage.tsx')).WithdrawalsPage,
  'withdrawals',
)
export const TreePage = part(
  async () => (await import('../features/genealogy/tree/components/TreePage.tsx')).TreePage,
  'genealogy/tree',
)
export const ProfilePage = part(
  async () => (await import('../features/identity/profile/components/ProfilePage.tsx')).ProfilePage,
  'identity/profile',
)
export const SecurityPage = part(
  async () => (await import('./MemberSecurity.tsx')).MemberSecurity,
  'identity/security',
  'identity/profile',
)
export const InvestDialog = part(
  async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
  'investments',
)
export const AppearancePanel = part(
  async () => (await import('../features/appearance/components/AppearancePanel.tsx')).AppearancePanel,
  'appearance',
)

/** By the beginning of the address. */
const PAGES: readonly [prefix: string, page: { prefetch(): Promise<void> }][] = [
  ['/dashboard', DashboardPage],
  ['/payments', EarningsPage],
  ['/referrals', ReferralsPage],
  ['/withdrawals', WithdrawalsPage],
  ['/investment-history', HistoryPage],
  ['/network-marketing', TreePage],
  ['/profile', ProfilePage],
  ['/security', SecurityPage],
  ['/operator', OperatorPage],
]

/** The page of members at an address, if there is one. */
export const memberPageAt = (pathname: string) => PAGES.find(([prefix]) => pathname.startsWith(prefix))?.[1]
