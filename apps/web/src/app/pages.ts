import type { ComponentType } from 'react'
import { loadTexts } from './i18n.ts'
import { type Loader, lazyPage } from './lazyPage.ts'

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
  forgotPassword: page(
    async () => (await import('../features/auth/components/ForgotPasswordPage.tsx')).ForgotPasswordPage,
    'auth',
  ),
  resetPassword: page(
    async () => (await import('../features/auth/components/ResetPasswordPage.tsx')).ResetPasswordPage,
    'auth',
  ),
  member: page(
    async () => {
      const { callForShell, MemberApp } = await import('./MemberApp.tsx')
      callForShell()
      return MemberApp
    },
    'demo',
    'support',
  ),
  dashboard: page(
    async () => {
      const { callForDashboard, MemberDashboard } = await import('./MemberDashboard.tsx')
      callForDashboard()
      return MemberDashboard
    },
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
  tree: page(async () => (await import('../features/tree/components/TreePage.tsx')).TreePage, 'tree'),
  profile: page(
    async () => (await import('../features/profile/components/ProfilePage.tsx')).ProfilePage,
    'profile',
  ),
  security: page(async () => (await import('./MemberSecurity.tsx')).MemberSecurity, 'security', 'profile'),
  notMe: page(
    async () => (await import('../features/profile/components/NotMePage.tsx')).NotMePage,
    'profile',
  ),
  invest: page(
    async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
    'investments',
  ),
  settings: page(
    async () => (await import('../features/settings/components/SettingsPanel.tsx')).SettingsPanel,
    'settings',
  ),
  operator: page(
    async () => (await import('../features/operator/components/OperatorPage.tsx')).OperatorPage,
    'operator',
  ),
}

export const SignInPage = lazyPage(loaders.signIn)
export const OtpPage = lazyPage(loaders.otp)
export const RegisterPage = lazyPage(loaders.register)
export const ForgotPasswordPage = lazyPage(loaders.forgotPassword)
export const ResetPasswordPage = lazyPage(loaders.resetPassword)
export const MemberApp = lazyPage(loaders.member)
export const DashboardPage = lazyPage(loaders.dashboard)
export const PaymentsPage = lazyPage(loaders.payments)
export const ReferralsPage = lazyPage(loaders.referrals)
export const HistoryPage = lazyPage(loaders.history)
export const WithdrawalsPage = lazyPage(loaders.withdrawals)
export const TreePage = lazyPage(loaders.tree)
export const ProfilePage = lazyPage(loaders.profile)
export const SecurityPage = lazyPage(loaders.security)
export const NotMePage = lazyPage(loaders.notMe)
export const InvestDialog = lazyPage(loaders.invest)
export const SettingsPanel = lazyPage(loaders.settings)
export const OperatorPage = lazyPage(loaders.operator)

const PREFETCHES: [prefix: string, loads: (() => Promise<unknown>)[]][] = [
  ['/auth/register', [loaders.register]],
  ['/auth/otp', [loaders.otp]],
  ['/auth/forgot-password', [loaders.forgotPassword, loaders.resetPassword]],
  ['/auth/reset-password', [loaders.resetPassword]],
  ['/auth/not-me', [loaders.notMe]],
  ['/auth', [loaders.signIn]],
  ['/dashboard', [loaders.member, loaders.dashboard]],
  ['/payments', [loaders.member, loaders.payments]],
  ['/referrals', [loaders.member, loaders.referrals]],
  ['/withdrawals', [loaders.member, loaders.withdrawals]],
  ['/investment-history', [loaders.member, loaders.history]],
  ['/network-marketing', [loaders.member, loaders.tree]],
  ['/profile', [loaders.member, loaders.profile]],
  ['/security', [loaders.member, loaders.security]],
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

export function prefetchSettings(): void {
  quietly(loaders.settings)
}
