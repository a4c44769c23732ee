import { Suspense, useEffect, useState } from 'react'
import { useToasterStore } from 'react-hot-toast'
import { BrowserRouter, Outlet, Route, Routes, useLocation } from 'react-router'
import { useSignedIn } from '../api/useSignedIn.ts'
import { HOME } from '../features/identity/sign-in/nextPath.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import '@aval/look/controls.css'
import { Boot, BootGate } from './Boot.tsx'
import { CatchUp } from './CatchUp.tsx'
import { ConsoleApp } from './consolePart.ts'
import { ERROR_PAGES, ERROR_PATHS } from './errors/errorPaths.ts'
import { Leave, Protected, VisitorsOnly } from './guards.tsx'
import { BareLayout } from './layouts.tsx'
import { MemberPage } from './MemberPage.tsx'
import { MEMBER_PAGES } from './memberPages.ts'
import { PageBroken, Unexpected } from './PageBroken.tsx'
import {
  ClosedPage,
  ErrorPage,
  ForgotPasswordPage,
  MemberApp,
  NotFound,
  NotMePage,
  OtpPage,
  PublicLayout,
  prefetchRoute,
  RegisterPage,
  ResetPasswordPage,
  SignInPage,
  Toasts,
} from './pages.ts'

export function App() {
  return (
    <ErrorBoundary fallback={(error) => <Unexpected error={error} />}>
      <BrowserRouter>
        <CatchUp />
        <BootGate>
          <Pages />
        </BootGate>
      </BrowserRouter>
      <Messages />
    </ErrorBoundary>
  )
}

/** What draws the messages is fetched with the first of them, and stays. */
function Messages() {
  const { toasts } = useToasterStore()
  const [isWanted, setWanted] = useState(false)
  if (toasts.length > 0 && !isWanted) setWanted(true)
  return isWanted ? (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  ) : null
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
            <Visit />
          </VisitorsOnly>
        }
      >
        <Route path="/auth/login" element={<SignInPage />} />
        <Route path="/auth/otp" element={<OtpPage />} />
        <Route path="/auth/register/:ref_code" element={<RegisterPage />} />
      </Route>
      <Route element={<Visit />}>
        <Route path="/auth/forgot-password" element={<ForgotPasswordPage />} />
        <Route path="/auth/reset-password" element={<ResetPasswordPage />} />
        <Route path="/auth/not-me" element={<NotMePage />} />
        <Route path="/auth/closed" element={<ClosedPage />} />
      </Route>
      <Route
        element={
          <Protected>
            <MemberApp />
          </Protected>
        }
      >
        {Object.entries(MEMBER_PAGES).map(([path, Page]) => (
          <Route key={path} path={path} element={<MemberPage Page={Page} />} />
        ))}
      </Route>
      <Route
        path="/operator/*"
        element={
          <Protected>
            <ConsoleApp />
          </Protected>
        }
      />
      {ERROR_PAGES.map((name) => (
        <Route key={name} path={ERROR_PATHS[name]} element={<ErrorPage name={name} />} />
      ))}
      <Route element={<Nowhere />}>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

/** Milliseconds after the first paint, so that it does not compete with it. */
const IDLE = 1500

/** The pages of visitors; meanwhile what comes after a sign-in is fetched. */
function Visit() {
  useEffect(() => {
    const timer = setTimeout(() => prefetchRoute('/dashboard'), IDLE)
    return () => clearTimeout(timer)
  }, [])
  return <PublicLayout />
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
