import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { type Answer, http } from '../../../../api/http.ts'
import { Button } from '../../../../ui/Button.tsx'
import { IconCircleCheck, IconShieldCheck } from '../../../../ui/icons.ts'
import { Link } from '../../../../ui/Link.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import '../../auth.css'

/** Where the link of an e-mail leads. Opening it does nothing: mail programs look at links before people do. */
export function NotMePage() {
  const { t } = useTranslation('identity/profile')
  const token = useLocation().hash.slice(1)
  const sayFailure = useFailureText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [done, setDone] = useState<string | null>(null)
  usePageTitle(t('notMe.title'))

  const press = async () => {
    setBusy(true)
    setFailure(null)
    const answer = await sayNotMe(token)
    setBusy(false)
    if ('data' in answer) setDone(answer.data.message)
    else setFailure(answer.error)
  }
  if (done !== null) return <Done message={done} />
  return (
    <div className="card auth-card not-me stack-16">
      <h1>{t('notMe.title')}</h1>
      <p className="muted">{t('notMe.text')}</p>
      <ul className="stack-12 not-me-list">
        {(['sessions', 'codes', 'money', 'changes'] as const).map((what) => (
          <li key={what}>
            <IconShieldCheck size={18} stroke={1.6} aria-hidden="true" />
            <span>{t(`notMe.${what}`)}</span>
          </li>
        ))}
      </ul>
      {failure === null ? null : (
        <Notice kind="bad" role="alert">
          {sayFailure(failure)}
        </Notice>
      )}
      <Button kind="danger" size="large" wide busy={busy} onClick={() => void press()}>
        {t('notMe.press')}
      </Button>
      <p className="muted small">{t('notMe.otherwise')}</p>
    </div>
  )
}

function Done({ message }: { message: string }) {
  const { t } = useTranslation('identity/profile')
  return (
    <div className="card auth-card not-me stack-16" role="status">
      <IconCircleCheck color="var(--ok)" size={36} stroke={1.5} aria-hidden="true" />
      <h1>{t('notMe.doneTitle')}</h1>
      <p className="muted">{message}</p>
      <Link to="/auth/forgot-password" className="button button-primary button-large">
        {t('notMe.toReset')}
      </Link>
    </div>
  )
}

/** A visitor's call: the link of an e-mail may be opened where the member is not signed in. */
function sayNotMe(token: string): Promise<Answer<{ message: string }>> {
  return http<{ message: string }>({ path: 'auth/not-me/', method: 'POST', body: { token } }, null)
}
