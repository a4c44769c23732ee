import { type ReactNode, useEffect, useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { useSignedIn } from '../api/useSignedIn.ts'
import { nextPath, signInPath } from '../features/auth/nextPath.ts'

/** Pages for members: a visitor is sent to sign in, and comes back afterwards. */
export function Protected({ children }: { children: ReactNode }) {
  const { t } = useTranslation('app')
  const signedIn = useSignedIn()
  const location = useLocation()
  const wasSignedIn = useRef(signedIn)

  useEffect(() => {
    if (wasSignedIn.current && !signedIn) toast(t('sessionEnded'), { id: 'session-ended' })
    wasSignedIn.current = signedIn
  }, [signedIn, t])

  return signedIn ? children : <Navigate to={signInPath(location)} replace />
}

/** Pages for visitors: who is signed in goes on to the wanted page. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn()
  const [params] = useSearchParams()
  if (!signedIn) return children
  return <Navigate to={nextPath(params.get('next'), window.location.origin)} replace />
}
