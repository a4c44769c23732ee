import type { ComponentType } from 'react'
import { loadTexts } from './i18n.ts'
import { type LazyPage, lazyPage } from './lazyPage.ts'

/** A page as a chunk of its own, together with its texts. */
function page<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...namespaces: string[]
): LazyPage<Props> {
  return lazyPage(async () => {
    const [component] = await Promise.all([load(), loadTexts(...namespaces)])
    return { default: component }
  })
}

export const SignInPage = page(
  async () => (await import('../features/identity/sign-in/components/SignInPage.tsx')).SignInPage,
  'identity',
)
export const RegisterPage = page(
  async () => (await import('../features/identity/registration/components/RegisterPage.tsx')).RegisterPage,
  'identity',
)
export const OtpPage = page(
  async () => (await import('../features/identity/sign-in/components/OtpPage.tsx')).OtpPage,
  'identity',
)
export const ForgotPasswordPage = page(
  async () =>
    (await import('../features/identity/passwords/components/ForgotPasswordPage.tsx')).ForgotPasswordPage,
  'identity',
)
export const ResetPasswordPage = page(
  async () =>
    (await import('../features/identity/passwords/components/ResetPasswordPage.tsx')).ResetPasswordPage,
  'identity',
)
export const MemberApp = page(async () => (await import('./MemberApp.tsx')).MemberApp, 'demo', 'support')
export const DashboardPage = page(
  async () => (await import('./MemberDashboard.tsx')).MemberDashboard,
  'dashboard',
  'reserves',
)
export const PaymentsPage = page(
  async () => (await import('../features/earnings/components/PaymentsPage.tsx')).PaymentsPage,
  'earnings',
)
export const ReferralsPage = page(
  async () => (await import('../features/genealogy/referrals/components/ReferralsPage.tsx')).ReferralsPage,
  'genealogy/referrals',
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
  async () => (await import('../features/genealogy/tree/components/TreePage.tsx')).TreePage,
  'genealogy/tree',
)
export const ProfilePage = page(
  async () => (await import('../features/identity/profile/components/ProfilePage.tsx')).ProfilePage,
  'identity/profile',
)
export const SecurityPage = page(
  async () => (await import('./MemberSecurity.tsx')).MemberSecurity,
  'identity/security',
  'identity/profile',
)
export const NotMePage = page(
  async () => (await import('../features/identity/profile/components/NotMePage.tsx')).NotMePage,
  'identity/profile',
)
export const InvestDialog = page(
  async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
  'investments',
)
export const AppearancePanel = page(
  async () => (await import('../features/appearance/components/AppearancePanel.tsx')).AppearancePanel,
  'appearance',
)
/** The texts of the operators' pages, a file for each noun. */
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

export const OperatorPage = page(async () => (await import('./OperatorPage.tsx')).OperatorPage, ...CONSOLE)

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
