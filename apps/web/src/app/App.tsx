import { Suspense } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { useSignedIn } from '../api/useSignedIn.ts'
import { HOME } from '../features/auth/nextPath.ts'
import { Toasts } from '../ui/Toasts.tsx'
import '../ui/controls.css'
import { Boot, BootGate } from './Boot.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Leave, Protected, VisitorsOnly } from './guards.tsx'
import { MemberPage } from './MemberPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PublicLayout } from './PublicLayout.tsx'
import {
  DashboardPage,
  HistoryPage,
  MemberApp,
  NotMePage,
  OperatorPage,
  OtpPage,
  PaymentsPage,
  ProfilePage,
  ReferralsPage,
  RegisterPage,
  SignInPage,
  WithdrawalsPage,
} from './pages.ts'

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <BootGate>
          <Suspense fallback={<Boot />}>
            <AppRoutes />
          </Suspense>
        </BootGate>
      </BrowserRouter>
      <Toasts />
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
        <Route path="/payments" element={<MemberPage show={(props) => <PaymentsPage {...props} />} />} />
        <Route path="/referrals" element={<MemberPage show={(props) => <ReferralsPage {...props} />} />} />
        <Route path="/withdrawals" element={<MemberPage show={() => <WithdrawalsPage />} />} />
        <Route
          path="/investment-history"
          element={<MemberPage show={(props) => <HistoryPage {...props} />} />}
        />
        <Route path="/profile" element={<MemberPage show={(props) => <ProfilePage {...props} />} />} />
        <Route path="/operator" element={<MemberPage operator show={() => <OperatorPage />} />} />
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

function Root() {
  return <Leave to={useSignedIn() ? HOME : '/auth/login/'} />
}
