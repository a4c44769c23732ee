import { type ReactNode, useEffect, useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { takeWhyEnded } from '../api/browserSession.ts'
import { useSignedIn } from '../api/useSignedIn.ts'
import { nextPath, signInPath } from '../features/identity/sign-in/nextPath.ts'
import { Boot } from './Boot.tsx'

/** Goes elsewhere, under the loader rather than a blank page. */
export function Leave({ to }: { to: string }) {
  return (
    <>
      <Boot />
      <Navigate to={to} replace />
    </>
  )
}

/** Pages for members: a visitor is sent to sign in, and comes back afterwards. */
export function Protected({ children }: { children: ReactNode }) {
  const { t } = useTranslation('app')
  const signedIn = useSignedIn()
  const location = useLocation()
  const wasSignedIn = useRef(signedIn)

  useEffect(() => {
    const why = signedIn ? null : takeWhyEnded()
    // Also on a page that was opened after it had ended.
    if (!signedIn && (wasSignedIn.current || why !== null))
      toast(why ?? t('sessionEnded'), { id: 'session-ended' })
    wasSignedIn.current = signedIn
  }, [signedIn, t])

  return signedIn ? children : <Leave to={signInPath(location)} />
}

/** Pages for visitors: members are sent to the wanted page. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const cameSignedIn = useRef(signedIn)
  const to = nextPath(params.get('next'), window.location.origin)

  // After signing in here the form stays until the next page has loaded.
  useEffect(() => {
    if (signedIn && !cameSignedIn.current) navigate(to, { replace: true })
  }, [signedIn, to, navigate])

  return cameSignedIn.current ? <Leave to={to} /> : children
}
