import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { Link } from '../../../../ui/Link.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { RecoveryField, useRefusedField } from '../../codeFields.tsx'
import { APP_DIGITS, isRecoveryCode } from '../../codes.ts'
import { signInWithCode } from '../api.ts'
import { stepWithPasskey } from '../passkeySignIn.ts'
import { canUsePasskeys, usePasskeyText } from '../usePasskeySignIn.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import '../../auth.css'

type Kind = 'code' | 'recovery'

interface FirstStep {
  token: string
  /** Whether a passkey will do instead of the code. */
  passkey: boolean
}

/** What the first step left: in the browser's history, so that a reload keeps it, and in no storage. */
function useFirstStep(): FirstStep | null {
  const state: unknown = useLocation().state
  if (typeof state !== 'object' || state === null || !('token' in state)) return null
  const { token } = state
  return typeof token === 'string' ? { token, passkey: 'passkey' in state && state.passkey === true } : null
}

/** Sends the code; as at the first step, a session that opens makes the router leave. */
function useSecondStep(token: string) {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const { search } = useLocation()
  const [busy, setBusy] = useState(false)
  const { field, error, refuse, clear } = useRefusedField()
  const [problem, setProblem] = useState<string | null>(null)

  const fail = (failure: Failure, say: (text: string) => void) => {
    // Too late, or too many tries: the password comes first again.
    if (failure.code === 'otp_token_invalid') {
      toast.error(sayFailure(failure))
      navigate(`/auth/login/${search}`, { replace: true })
    } else if (failure.status === 401 || failure.status === 429) say(sayFailure(failure))
    else toast.error(sayFailure(failure))
  }
  /** The first step is used up, and the page is about to be left. */
  const isIn = useRef(false)
  // The last digit sends the code; so may a key or a press that comes before that is shown, or before the page is left.
  const submit = useSingleFlight(async (kind: Kind, code: string) => {
    if (isIn.current) return
    if (kind === 'code' && code.length !== APP_DIGITS) return refuse(t('otp.missing'))
    if (code.trim() === '') return refuse(t('otp.recoveryMissing'))
    clear()
    setProblem(null)
    setBusy(true)
    const failure = await signInWithCode(token, code.trim())
    isIn.current = failure === null
    if (failure === null) return
    setBusy(false)
    fail(failure, refuse)
  })
  const sayPasskey = usePasskeyText()
  const [asking, setAsking] = useState(false)
  const forget = () => {
    clear()
    setProblem(null)
  }
  const askPasskey = useSingleFlight(async () => {
    if (isIn.current) return
    forget()
    setAsking(true)
    const end = await stepWithPasskey(token)
    isIn.current = end.state === 'open'
    if (end.state === 'open') return
    setAsking(false)
    // It is not the code that is wrong.
    if (end.state === 'refused') fail(end.failure, setProblem)
    else setProblem(sayPasskey(end))
  })
  return { field, error, busy, asking, problem, submit, askPasskey, clear: forget }
}

/** The second step of a sign-in. Opened without the first step, it leads back to that. */
export function OtpPage() {
  const { search } = useLocation()
  const first = useFirstStep()
  return first === null ? <Navigate to={`/auth/login/${search}`} replace /> : <SecondStep {...first} />
}

function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <Notice kind="bad" role="alert">
      {text}
    </Notice>
  )
}

function SecondStep({ token, passkey }: FirstStep) {
  const { t } = useTranslation('identity')
  const { search } = useLocation()
  const { field, error, busy, asking, problem, submit, askPasskey, clear } = useSecondStep(token)
  const [kind, setKind] = useState<Kind>('code')
  const [code, setCode] = useState('')
  usePageTitle(t('otp.title'))

  const isCode = kind === 'code'
  const shown = { ref: field, value: code, error }
  const type = (text: string) => {
    setCode(text)
    clear()
  }
  const turn = () => {
    setKind(isCode ? 'recovery' : 'code')
    type('')
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit(kind, code)
  }
  // A recovery code pasted where the app's is asked for is taken as one.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    if (!isRecoveryCode(text)) return
    event.preventDefault()
    setKind('recovery')
    type(text)
  }
  return (
    <div className="card auth-card">
      <h1>{t('otp.title')}</h1>
      <p className="muted auth-sub">{t(isCode ? 'otp.text' : 'otp.recoveryText')}</p>
      <form className="stack-16 auth-form" noValidate onSubmit={onSubmit}>
        {isCode ? (
          <CodeField
            key="code"
            {...shown}
            label={t('otp.label')}
            name="code"
            digits={APP_DIGITS}
            onChange={type}
            onComplete={(complete) => void submit('code', complete)}
            onPaste={onPaste}
            autoFocus
          />
        ) : (
          <RecoveryField key="recovery" {...shown} label={t('otp.recoveryLabel')} onType={type} />
        )}
        <Button type="submit" kind="primary" size="large" wide busy={busy}>
          {t('otp.submit')}
        </Button>
        <Problem text={problem} />
        {passkey && canUsePasskeys() ? (
          <PasskeyButton text={t('otp.passkey')} busy={asking} onPress={askPasskey} />
        ) : null}
      </form>
      {isCode ? null : <p className="muted small auth-lost">{t('otp.lost')}</p>}
      <p className="row-16 row-apart muted small auth-foot auth-ways">
        <button type="button" className="link-button" onClick={turn}>
          {t(isCode ? 'otp.useRecovery' : 'otp.useCode')}
        </button>
        <Link to={`/auth/login/${search}`}>{t('otp.back')}</Link>
      </p>
    </div>
  )
}
