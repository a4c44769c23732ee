import type { CurrentUser } from '@aval/contract'
import { type FormEvent, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { CodeMail } from '../../../../ui/CodeMail.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { IconCircleCheck, IconMail } from '../../../../ui/icons.ts'
import { Link } from '../../../../ui/Link.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useFailureToast } from '../../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { useConfirmEmailMutation } from '../api.ts'

const DIGITS = 7

function useProof() {
  const { t } = useTranslation('identity/profile')
  const sayFailure = useFailureText()
  const sayFailed = useFailureToast()
  const [send, { isLoading: busy }] = useConfirmEmailMutation()
  const [open, setOpen] = useState(false)
  /** The server's: where the code went; null where none was asked for here. */
  const [sentence, setSentence] = useState<string | null>(null)
  const [code, setCode] = useState('')
  /** The server's: that the e-mail was proven just now; null where it was not. */
  const [done, setDone] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  const ask = useSingleFlight(async () => {
    const answer = await send('')
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    if (open) toast.success(answer.data)
    setSentence(answer.data)
    setError(undefined)
    setOpen(true)
  })
  const confirm = useSingleFlight(async (typed: string) => {
    if (typed.length !== DIGITS) {
      setError(t('code.missing'))
      return field.current?.focus()
    }
    const answer = await send(typed)
    if (answer.error !== undefined) {
      setError(sayFailure(answer.error as Failure))
      return field.current?.select()
    }
    setOpen(false)
    setDone(answer.data)
  })
  const type = (typed: string) => {
    setCode(typed)
    setError(undefined)
  }
  const close = () => {
    if (!busy) setOpen(false)
  }
  const show = () => {
    setSentence(null)
    setOpen(true)
  }
  return { open, show, close, busy, sentence, code, type, error, field, done, ask, confirm }
}

/** That the e-mail is not proven yet, what that means, and the way to prove it. */
export function EmailProof({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const proof = useProof()
  if (proof.done !== null)
    return (
      <Notice kind="ok" icon={IconCircleCheck} role="status">
        <span>{proof.done}</span> <Link to="/dashboard">{t('proof.onward')}</Link>
      </Notice>
    )
  if (user.email_proven) return null
  return (
    <>
      <section className="notice notice-wait" aria-label={t('proof.label')}>
        <IconMail size={18} stroke={1.6} aria-hidden="true" />
        <div className="row-16 row-apart profile-proof">
          <p>
            <span>{t('proof.before')}</span> <Name text={user.email} />
            <span>{`. ${t('proof.after')}`}</span>
          </p>
          <span className="row-16">
            <Button
              kind="primary"
              size="small"
              busy={proof.busy && !proof.open}
              onClick={() => void proof.ask()}
            >
              {t('proof.send')}
            </Button>
            <button type="button" className="link-button" onClick={proof.show}>
              {t('proof.have')}
            </button>
          </span>
        </div>
      </section>
      {proof.open ? <ProofDialog email={user.email} proof={proof} /> : null}
    </>
  )
}

function ProofDialog({ email, proof }: { email: string; proof: ReturnType<typeof useProof> }) {
  const { t } = useTranslation('identity/profile')
  const { busy, sentence, code, type, error, field, ask, confirm, close } = proof
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void confirm(code)
  }
  return (
    <Dialog title={t('proof.title')} onClose={close} width={460}>
      <form className="stack-16" noValidate onSubmit={submit}>
        <Notice icon={IconMail}>
          {sentence ?? (
            <>
              <span>{t('proof.to')}</span> <Name text={email} />
              <span>{`. ${t('proof.terms')}`}</span>
            </>
          )}
        </Notice>
        <CodeField
          ref={field}
          data-autofocus
          label={t('code.label')}
          digits={DIGITS}
          value={code}
          onChange={type}
          onComplete={(typed) => void confirm(typed)}
          error={error}
        />
        <CodeMail say={(count) => t('code.mailWaits', { count })} />
        <div className="row-12 row-apart profile-code-foot">
          <button type="button" className="link-button" disabled={busy} onClick={() => void ask()}>
            {t('code.resend')}
          </button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('code.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
