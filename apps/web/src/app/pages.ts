import type { ComponentType } from 'react'
import { type LazyPart, lazyPart } from '../ui/lazyPart.ts'
import { loadTexts } from './i18n.ts'

/** A page as a chunk of its own, together with its texts. */
function page<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...namespaces: string[]
): LazyPart<Props> {
  return lazyPart(async () => {
    const [component] = await Promise.all([load(), loadTexts(...namespaces)])
    return { default: component }
  })
}

export const SignInPage = page(
  async () => (await import('../features/auth/components/SignInPage.tsx')).SignInPage,
  'auth',
)
export const RegisterPage = page(
  async () => (await import('../features/auth/components/RegisterPage.tsx')).RegisterPage,
  'auth',
)
export const OtpPage = page(
  async () => (await import('../features/auth/components/OtpPage.tsx')).OtpPage,
  'auth',
)
export const ForgotPasswordPage = page(
  async () => (await import('../features/auth/components/ForgotPasswordPage.tsx')).ForgotPasswordPage,
  'auth',
)
export const ResetPasswordPage = page(
  async () => (await import('../features/auth/components/ResetPasswordPage.tsx')).ResetPasswordPage,
  'auth',
)
export const MemberApp = page(async () => (await import('./MemberApp.tsx')).MemberApp, 'demo', 'support')
export const DashboardPage = page(
  async () => (await import('./MemberDashboard.tsx')).MemberDashboard,
  'dashboard',
  'reserves',
)
export const PaymentsPage = page(
  async () => (await import('../features/payments/components/PaymentsPage.tsx')).PaymentsPage,
  'payments',
)
export const ReferralsPage = page(
  async () => (await import('../features/referrals/components/ReferralsPage.tsx')).ReferralsPage,
  'referrals',
)
export const HistoryPage = page(
  async () => (await import('../features/investments/components/HistoryPage.tsx')).HistoryPage,
  'investments',
)
export const WithdrawalsPage = page(
  async () => (await import('../features/withdrawals/components/WithdrawalsPage.tsx')).WithdrawalsPage,
  'withdrawals',
)
export const TreePage = page(
  async () => (await import('../features/tree/components/TreePage.tsx')).TreePage,
  'tree',
)
export const ProfilePage = page(
  async () => (await import('../features/profile/components/ProfilePage.tsx')).ProfilePage,
  'profile',
)
export const SecurityPage = page(
  async () => (await import('./MemberSecurity.tsx')).MemberSecurity,
  'security',
  'profile',
)
export const NotMePage = page(
  async () => (await import('../features/profile/components/NotMePage.tsx')).NotMePage,
  'profile',
)
export const InvestDialog = page(
  async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
  'investments',
)
export const SettingsPanel = page(
  async () => (await import('../features/settings/components/SettingsPanel.tsx')).SettingsPanel,
  'settings',
)
export const OperatorPage = page(
  async () => (await import('../features/operator/components/OperatorPage.tsx')).OperatorPage,
  'operator',
)

/** By how an address begins; the first that fits. */
const PREFETCHES: readonly [prefix: string, parts: readonly { prefetch(): Promise<void> }[]][] = [
  ['/auth/register', [RegisterPage]],
  ['/auth/otp', [OtpPage]],
  ['/auth/forgot-password', [ForgotPasswordPage, ResetPasswordPage]],
  ['/auth/reset-password', [ResetPasswordPage]],
  ['/auth/not-me', [NotMePage]],
  ['/auth', [SignInPage]],
  ['/dashboard', [MemberApp, DashboardPage]],
  ['/payments', [MemberApp, PaymentsPage]],
  ['/referrals', [MemberApp, ReferralsPage]],
  ['/withdrawals', [MemberApp, WithdrawalsPage]],
  ['/investment-history', [MemberApp, HistoryPage]],
  ['/network-marketing', [MemberApp, TreePage]],
  ['/profile', [MemberApp, ProfilePage]],
  ['/security', [MemberApp, SecurityPage]],
  ['/operator', [MemberApp, OperatorPage]],
  ['/', [SignInPage]],
]

/** Begins to load what an address will show, before anything is decided or pressed. @returns when it is here, or did not come */
export async function prefetchRoute(pathname: string): Promise<void> {
  const match = PREFETCHES.find(([prefix]) => pathname.startsWith(prefix))
  await Promise.all((match?.[1] ?? []).map((part) => part.prefetch()))
}
