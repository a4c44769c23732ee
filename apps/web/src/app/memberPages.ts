import type { LazyPart } from '../ui/lazyPart.ts'
import { part } from './i18n.ts'
import type { MemberContext } from './memberContext.ts'

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

/** The pages behind the sign-in, by their addresses. */
export const MEMBER_PAGES: Readonly<Record<string, LazyPart<MemberContext>>> = {
  '/dashboard': part(
    async () => (await import('./MemberDashboard.tsx')).MemberDashboard,
    'dashboard',
    'reserves',
  ),
  '/payments': part(
    async () => (await import('../features/earnings/components/EarningsPage.tsx')).EarningsPage,
    'earnings',
  ),
  '/referrals': part(
    async () => (await import('../features/genealogy/referrals/components/ReferralsPage.tsx')).ReferralsPage,
    'genealogy/referrals',
  ),
  '/withdrawals': part(
    async () => (await import('../features/withdrawals/components/WithdrawalsPage.tsx')).WithdrawalsPage,
    'withdrawals',
  ),
  '/investment-history': part(
    async () => (await import('../features/investments/components/HistoryPage.tsx')).HistoryPage,
    'investments',
  ),
  '/network-marketing': part(
    async () => (await import('../features/genealogy/tree/components/TreePage.tsx')).TreePage,
    'genealogy/tree',
  ),
  '/profile': part(
    async () => (await import('../features/identity/profile/components/ProfilePage.tsx')).ProfilePage,
    'identity/profile',
  ),
  '/security': part(
    async () => (await import('./MemberSecurity.tsx')).MemberSecurity,
    'identity/security',
    'identity/profile',
    'identity/privacy',
  ),
  '/operator': part(async () => (await import('./OperatorPage.tsx')).OperatorPage, ...CONSOLE),
}

/** The page of members at an address, if there is one. */
export const memberPageAt = (pathname: string) =>
  Object.entries(MEMBER_PAGES).find(([path]) => pathname.startsWith(path))?.[1]
