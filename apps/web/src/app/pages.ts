import { type ComponentType, lazy } from 'react'
import { loadTexts } from './i18n.ts'

type Loader<Props> = () => Promise<{ default: ComponentType<Props> }>

/** A page as a chunk of its own, together with its texts. */
function page<Props>(load: () => Promise<ComponentType<Props>>, ...namespaces: string[]): Loader<Props> {
  return async () => {
    const [component] = await Promise.all([load(), loadTexts(...namespaces)])
    return { default: component }
  }
}

const loaders = {
  signIn: page(async () => (await import('../features/auth/components/SignInPage.tsx')).SignInPage, 'auth'),
  register: page(
    async () => (await import('../features/auth/components/RegisterPage.tsx')).RegisterPage,
    'auth',
  ),
  otp: page(async () => (await import('../features/auth/components/OtpPage.tsx')).OtpPage, 'auth'),
  member: page(async () => (await import('./MemberApp.tsx')).MemberApp, 'demo'),
  dashboard: page(
    async () => (await import('./MemberDashboard.tsx')).MemberDashboard,
    'dashboard',
    'reserves',
  ),
  payments: page(
    async () => (await import('../features/payments/components/PaymentsPage.tsx')).PaymentsPage,
    'payments',
  ),
  referrals: page(
    async () => (await import('../features/referrals/components/ReferralsPage.tsx')).ReferralsPage,
    'referrals',
  ),
  history: page(
    async () => (await import('../features/investments/components/HistoryPage.tsx')).HistoryPage,
    'investments',
  ),
  withdrawals: page(
    async () => (await import('../features/withdrawals/components/WithdrawalsPage.tsx')).WithdrawalsPage,
    'withdrawals',
  ),
  profile: page(
    async () => (await import('../features/profile/components/ProfilePage.tsx')).ProfilePage,
    'profile',
  ),
  notMe: page(
    async () => (await import('../features/profile/components/NotMePage.tsx')).NotMePage,
    'profile',
  ),
  invest: page(
    async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
    'investments',
  ),
  operator: page(
    async () => (await import('../features/operator/components/OperatorPage.tsx')).OperatorPage,
    'operator',
  ),
}

export const SignInPage = lazy(loaders.signIn)
export const OtpPage = lazy(loaders.otp)
export const RegisterPage = lazy(loaders.register)
export const MemberApp = lazy(loaders.member)
export const DashboardPage = lazy(loaders.dashboard)
export const PaymentsPage = lazy(loaders.payments)
export const ReferralsPage = lazy(loaders.referrals)
export const HistoryPage = lazy(loaders.history)
export const WithdrawalsPage = lazy(loaders.withdrawals)
export const ProfilePage = lazy(loaders.profile)
export const NotMePage = lazy(loaders.notMe)
export const InvestDialog = lazy(loaders.invest)
export const OperatorPage = lazy(loaders.operator)

const PREFETCHES: [prefix: string, loads: (() => Promise<unknown>)[]][] = [
  ['/auth/register', [loaders.register]],
  ['/auth/otp', [loaders.otp]],
  ['/auth/not-me', [loaders.notMe]],
  ['/auth', [loaders.signIn]],
  ['/dashboard', [loaders.member, loaders.dashboard]],
  ['/payments', [loaders.member, loaders.payments]],
  ['/referrals', [loaders.member, loaders.referrals]],
  ['/withdrawals', [loaders.member, loaders.withdrawals]],
  ['/investment-history', [loaders.member, loaders.history]],
  ['/profile', [loaders.member, loaders.profile]],
  ['/operator', [loaders.member, loaders.operator]],
  ['/', [loaders.signIn]],
]

/** A failed prefetch is nothing yet: the page asks again when it is shown, and says so if it fails then. */
const quietly = (load: () => Promise<unknown>) => {
  load().catch(() => undefined)
}

/** Begins to load what an address will show, before anything is decided or pressed. */
export function prefetchRoute(pathname: string): void {
  const match = PREFETCHES.find(([prefix]) => pathname.startsWith(prefix))
  for (const load of match?.[1] ?? []) quietly(load)
}

export function prefetchInvest(): void {
  quietly(loaders.invest)
}
