import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Failure, isUnanswered } from '../../api/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeField } from '../../ui/CodeField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useFailureText } from '../../ui/useFailureText.ts'
import { type Confirm, type Confirmation, ConfirmContext, isAboutCode, type Outcome } from './confirm.ts'
import { FailureNotice } from './DecisionForm.tsx'

interface Asked {
  confirmation: Confirmation<unknown>
  settle: (outcome: Outcome<unknown> | null) => void
}

/** Gives the pages inside of it the one dialog that asks for a code before a decision is sent. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const open = useRef<Asked | null>(null)
  const show = useCallback((next: Asked | null) => {
    open.current?.settle(null)
    open.current = next
    setAsked(next)
  }, [])
  useEffect(() => () => open.current?.settle(null), [])

  const confirm = useCallback(
    (confirmation: Confirmation<unknown>) =>
      new Promise<Outcome<unknown> | null>((settle) => show({ confirmation, settle })),
    [show],
  ) as Confirm

  const done = (outcome: Outcome<unknown> | null) => {
    asked?.settle(outcome)
    show(null)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked === null ? null : <ConfirmCodeDialog confirmation={asked.confirmation} onDone={done} />}
    </ConfirmContext>
  )
}

const DIGITS = 6

interface ConfirmCodeDialogProps {
  confirmation: Confirmation<unknown>
  onDone: (outcome: Outcome<unknown> | null) => void
}

function ConfirmCodeDialog({ confirmation, onDone }: ConfirmCodeDialogProps) {
  const { t } = useTranslation('console/shared')
  const sayFailure = useFailureText()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [lost, setLost] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  /** Two presses can be faster than the button that the first one disables. */
  const isSending = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  const close = () => {
    if (!busy) onDone(null)
  }
  const refuse = (text: string) => {
    setProblem(text)
    field.current?.focus()
    field.current?.select()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending.current) return
    setLost(null)
    if (code.length !== DIGITS) return refuse(t('code.missing'))
    isSending.current = true
    setBusy(true)
    const outcome = await confirmation.send(code)
    isSending.current = false
    setBusy(false)
    const failure = outcome.error as Failure | undefined
    if (failure === undefined || !isAboutCode(failure)) return onDone(outcome)
    // Without an answer it may have been done all the same; repeating the call finds out.
    if (isUnanswered(failure)) setLost(failure)
    else refuse(sayFailure(failure))
  }
  return (
    <Dialog title={t('code.title')} width={420} onClose={close}>
      <form className="stack-14" noValidate onSubmit={submit}>
        <p>
          <strong>{confirmation.what}</strong>
        </p>
        <CodeField
          ref={field}
          label={t('code.label')}
          hint={problem === undefined ? t('code.hint') : undefined}
          digits={DIGITS}
          value={code}
          onChange={(typed) => {
            setCode(typed)
            setProblem(undefined)
          }}
          error={problem}
          data-autofocus
        />
        <FailureNotice failure={lost} />
        <div className="dialog-actions row-8 row-end">
          <Button onClick={close} disabled={busy}>
            {t('code.back')}
          </Button>
          <Button type="submit" kind={confirmation.danger ? 'danger' : 'primary'} busy={busy}>
            {t('code.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
