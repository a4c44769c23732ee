import { plainTyped } from '@aval/contract/typed'
import { type FormEvent, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Link } from '../../../../ui/Link.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { checkEmail } from '../../registration/registerRules.ts'
import { askForReset } from '../api.ts'
import { resetPath, typedEmail } from '../reset.ts'
import '../../auth.css'

export function ForgotPasswordPage() {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const location = useLocation()
  const [email, setEmail] = useState(() => typedEmail(location))
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  usePageTitle(t('forgot.title'))

  const refuse = (text: string) => {
    setError(text)
    field.current?.focus()
  }
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const rule = checkEmail(email)
    if (rule !== null) return refuse(t(`rule.${rule}`))
    setBusy(true)
    const answer = await askForReset(plainTyped(email))
    if ('data' in answer) {
      const state = { sentence: answer.data, sentAt: Date.now() }
      navigate(resetPath(email), { state })
      // Busy until the next page is there: on a slow line this one stays for a while.
      return
    }
    setBusy(false)
    const { error: failure } = answer
    const about = failure.fields?.find(({ path }) => path === 'email')
    if (about !== undefined) refuse(about.detail)
    else if (failure.status === 429) refuse(sayFailure(failure))
    else toast.error(sayFailure(failure))
  }
  return (
    <div className="card auth-card">
      <h1>{t('forgot.title')}</h1>
      <p className="muted auth-sub">{t('forgot.text')}</p>
      <form className="stack-16 auth-form" noValidate onSubmit={onSubmit}>
        <Field
          ref={field}
          label={t('email')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          maxLength={254}
          value={email}
          error={error}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <Button type="submit" kind="primary" size="large" wide busy={busy}>
          {t('forgot.submit')}
        </Button>
      </form>
      <p className="row-16 row-apart muted small auth-foot auth-ways">
        <Link to="/auth/login/">{t('forgot.back')}</Link>
        <Link to={resetPath(email)}>{t('forgot.haveCode')}</Link>
      </p>
    </div>
  )
}
