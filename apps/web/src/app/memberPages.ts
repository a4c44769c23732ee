import { type ComponentType, createElement } from 'react'
import type { LazyPart } from '../ui/lazyPart.ts'
import { part } from './i18n.ts'
import type { MemberContext } from './memberContext.ts'

/** A page that keeps its filters in the address, with what that takes: the dashboard begins without it. */
const filtered = (load: () => Promise<ComponentType<MemberContext>>, ...namespaces: string[]) =>
  part<MemberContext>(
    async () => {
      const [Page, { InAddress }] = await Promise.all([load(), import('./InAddress.tsx')])
      return (member) => createElement(InAddress, null, createElement(Page, member))
    },
    ...namespaces,
  )

/** The pages behind the sign-in, by their addresses. */
export const MEMBER_PAGES: Readonly<Record<string, LazyPart<MemberContext>>> = {
  '/dashboard': part(async () => (await import('./MemberDashboard.tsx')).MemberDashboard, 'dashboard'),
  '/payments': filtered(
    async () => (await import('../features/earnings/components/EarningsPage.tsx')).EarningsPage,
    'earnings',
  ),
  '/referrals': filtered(
    async () => (await import('../features/genealogy/referrals/components/ReferralsPage.tsx')).ReferralsPage,
    'genealogy/referrals',
  ),
  '/withdrawals': filtered(
    async () => (await import('../features/withdrawals/components/WithdrawalsPage.tsx')).WithdrawalsPage,
    'withdrawals',
  ),
  '/investment-history': filtered(
    async () => (await import('../features/investments/components/HistoryPage.tsx')).HistoryPage,
    'investments',
  ),
  '/network-marketing': filtered(
    async () => (await import('../features/genealogy/tree/components/TreePage.tsx')).TreePage,
    'genealogy/tree',
  ),
  '/profile': filtered(
    async () => (await import('../features/identity/profile/components/ProfilePage.tsx')).ProfilePage,
    'identity/profile',
  ),
  '/security': filtered(
    async () => (await import('./MemberSecurity.tsx')).MemberSecurity,
    'identity/security',
    'identity/new-password',
    'identity/profile',
    'identity/privacy',
  ),
}

/** The page of members at an address, if there is one. */
export const memberPageAt = (pathname: string) =>
  Object.entries(MEMBER_PAGES).find(([path]) => pathname.startsWith(path))?.[1]
