import { Suspense } from 'react'
import { BrowserRouter, Outlet, Route, Routes, useLocation } from 'react-router'
import { useSignedIn } from '../api/useSignedIn.ts'
import { HOME } from '../features/identity/sign-in/nextPath.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import '../ui/controls.css'
import { BareLayout } from './BareLayout.tsx'
import { Boot, BootGate } from './Boot.tsx'
import { ERROR_PAGES, ErrorPage, NotFound } from './ErrorPages.tsx'
import { Leave, Protected, VisitorsOnly } from './guards.tsx'
import { MemberPage } from './MemberPage.tsx'
import {
  DashboardPage,
  EarningsPage,
  HistoryPage,
  OperatorPage,
  ProfilePage,
  ReferralsPage,
  SecurityPage,
  TreePage,
  WithdrawalsPage,
} from './memberPages.ts'
import { PageBroken, Unexpected } from './PageBroken.tsx'
import { PublicLayout } from './PublicLayout.tsx'
import {
  ForgotPasswordPage,
  MemberApp,
  NotMePage,
  OtpPage,
  RegisterPage,
  ResetPasswordPage,
  SignInPage,
} from './pages.ts'

export function App() {
  return (
    <ErrorBoundary fallback={(error) => <Unexpected error={error} />}>
      <BrowserRouter>
        <BootGate>
          <Pages />
        </BootGate>
      </BrowserRouter>
      <Toasts />
    </ErrorBoundary>
  )
}

/** Whatever has no layout of its own to break in, breaks here. */
function Pages() {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary
      of={pathname}
      fallback={(error, retry) => (
        <BareLayout>
          <PageBroken error={error} onRetry={retry} />
        </BareLayout>
      )}
    >
      <Suspense fallback={<Boot />}>
        <AppRoutes />
      </Suspense>
    </ErrorBoundary>
  )
}

function AppRoutes() {
  return (
    <Routes>
      <Route path="/" element={<Root />} />
      <Route
        element={
          <VisitorsOnly>
            <PublicLayout />
          </VisitorsOnly>
        }
      >
        <Route path="/auth/login" element={<SignInPage />} />
        <Route path="/auth/otp" element={<OtpPage />} />
        <Route path="/auth/register/:ref_code" element={<RegisterPage />} />
      </Route>
      <Route element={<PublicLayout />}>
        <Route path="/auth/forgot-password" element={<ForgotPasswordPage />} />
        <Route path="/auth/reset-password" element={<ResetPasswordPage />} />
        <Route path="/auth/not-me/:token" element={<NotMePage />} />
      </Route>
      <Route
        element={
          <Protected>
            <MemberApp />
          </Protected>
        }
      >
        <Route path="/dashboard" element={<MemberPage show={(props) => <DashboardPage {...props} />} />} />
        <Route path="/payments" element={<MemberPage show={(props) => <EarningsPage {...props} />} />} />
        <Route path="/network-marketing" element={<MemberPage show={(props) => <TreePage {...props} />} />} />
        <Route path="/referrals" element={<MemberPage show={(props) => <ReferralsPage {...props} />} />} />
        <Route path="/withdrawals" element={<MemberPage show={() => <WithdrawalsPage />} />} />
        <Route
          path="/investment-history"
          element={<MemberPage show={(props) => <HistoryPage {...props} />} />}
        />
        <Route path="/profile" element={<MemberPage show={(props) => <ProfilePage {...props} />} />} />
        <Route path="/security" element={<MemberPage show={(props) => <SecurityPage {...props} />} />} />
        <Route path="/operator" element={<MemberPage operator show={() => <OperatorPage />} />} />
      </Route>
      {ERROR_PAGES.map(({ path, name }) => (
        <Route key={path} path={path} element={<ErrorPage name={name} />} />
      ))}
      <Route element={<Nowhere />}>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

/** For unknown addresses: members keep their navigation, visitors get the message alone. */
function Nowhere() {
  return useSignedIn() ? (
    <MemberApp />
  ) : (
    <BareLayout>
      <Outlet />
    </BareLayout>
  )
}

function Root() {
  return <Leave to={useSignedIn() ? HOME : '/auth/login/'} />
}
