import type { LazyPart } from '../ui/lazyPart.ts'
import { part } from './i18n.ts'
import type { MemberContext } from './memberContext.ts'

export const SignInPage = part(
  async () => (await import('../features/identity/sign-in/components/SignInPage.tsx')).SignInPage,
  'identity',
)
export const RegisterPage = part(
  async () => (await import('../features/identity/registration/components/RegisterPage.tsx')).RegisterPage,
  'identity',
)
export const OtpPage = part(
  async () => (await import('../features/identity/sign-in/components/OtpPage.tsx')).OtpPage,
  'identity',
)
export const ForgotPasswordPage = part(
  async () =>
    (await import('../features/identity/passwords/components/ForgotPasswordPage.tsx')).ForgotPasswordPage,
  'identity',
)
export const ResetPasswordPage = part(
  async () =>
    (await import('../features/identity/passwords/components/ResetPasswordPage.tsx')).ResetPasswordPage,
  'identity',
)
export const NotMePage = part(
  async () => (await import('../features/identity/profile/components/NotMePage.tsx')).NotMePage,
  'identity/profile',
)
export const MemberApp = part(async () => (await import('./MemberApp.tsx')).MemberApp, 'demo', 'support')
export const InvestDialog = part(
  async () => (await import('../features/investments/components/InvestDialog.tsx')).InvestDialog,
  'investments',
)
export const AppearancePanel = part(
  async () => (await import('../features/appearance/components/AppearancePanel.tsx')).AppearancePanel,
  'appearance',
)

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
  ),
  '/operator': part(async () => (await import('./OperatorPage.tsx')).OperatorPage, ...CONSOLE),
}

/** By the beginning of the address; the first that fits. */
const PUBLIC_PAGES: readonly [prefix: string, parts: readonly { prefetch(): Promise<void> }[]][] = [
  ['/auth/register', [RegisterPage]],
  ['/auth/otp', [OtpPage]],
  ['/auth/forgot-password', [ForgotPasswordPage, ResetPasswordPage]],
  ['/auth/reset-password', [ResetPasswordPage]],
  ['/auth/not-me', [NotMePage]],
  ['/auth', [SignInPage]],
]

/** The page of members at an address, if there is one. */
export const memberPageAt = (pathname: string) =>
  Object.entries(MEMBER_PAGES).find(([path]) => pathname.startsWith(path))?.[1]

/** Starts to load what an address will show, before the page is rendered. @returns when it has arrived or has failed to */
export async function prefetchRoute(pathname: string): Promise<void> {
  const member = memberPageAt(pathname)
  const open = PUBLIC_PAGES.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? [SignInPage]
  await Promise.all((member === undefined ? open : [MemberApp, member]).map((part) => part.prefetch()))
}
