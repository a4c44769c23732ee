import { ConsoleApp } from './consolePart.ts'
import { part } from './i18n.ts'
import { memberPageAt } from './memberPages.ts'

/** What stands around the pages of visitors. */
export const PublicLayout = part(async () => (await import('./PublicLayout.tsx')).PublicLayout, 'identity')
export const SignInPage = part(
  async () => (await import('../features/identity/sign-in/components/SignInPage.tsx')).SignInPage,
  'identity',
)
export const RegisterPage = part(
  async () => (await import('../features/identity/registration/components/RegisterPage.tsx')).RegisterPage,
  'identity',
  'identity/new-password',
  'identity/privacy',
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
  'identity/new-password',
)
export const NotMePage = part(
  async () => (await import('../features/identity/profile/components/NotMePage.tsx')).NotMePage,
  'identity/profile',
)
export const ClosedPage = part(
  async () => (await import('../features/identity/privacy/components/ClosedPage.tsx')).ClosedPage,
  'identity/privacy',
)
export const ErrorPage = part(async () => (await import('./errors/ErrorPages.tsx')).ErrorPage)
export const NotFound = part(async () => (await import('./errors/ErrorPages.tsx')).NotFound)
/** What draws the messages. */
export const Toasts = part(async () => (await import('../ui/Toasts.tsx')).Toasts)
export const MemberApp = part(async () => (await import('./MemberApp.tsx')).MemberApp)

/** By the beginning of the address; the first that fits. */
const PUBLIC_PAGES: readonly [prefix: string, parts: readonly { prefetch(): Promise<void> }[]][] = [
  ['/auth/register', [RegisterPage]],
  ['/auth/otp', [OtpPage]],
  ['/auth/forgot-password', [ForgotPasswordPage, ResetPasswordPage]],
  ['/auth/reset-password', [ResetPasswordPage]],
  ['/auth/not-me', [NotMePage]],
  ['/auth/closed', [ClosedPage]],
  ['/auth', [SignInPage]],
]

/** Starts to load what an address will show, before the page is rendered. @returns when it has arrived or has failed to */
export async function prefetchRoute(pathname: string): Promise<void> {
  if (/^\/operator(\/|$)/.test(pathname)) return ConsoleApp.prefetch()
  const member = memberPageAt(pathname)
  const open = PUBLIC_PAGES.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? [SignInPage]
  await Promise.all(
    (member === undefined ? [PublicLayout, ...open] : [MemberApp, member]).map((part) => part.prefetch()),
  )
}
