import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface FormDialogProps {
  title: string
  width?: number
  /** Said before the fields. */
  text?: string
  /** Why it was not done, where no field is at fault. */
  problem?: { kind: 'wait' | 'bad'; text: string | null }
  /** What the button that sends it says. */
  action: string
  danger?: boolean
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}

/** A dialog of the security page: a form that is sent or cancelled. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    width = 440,
    text,
    problem,
    action,
    danger = false,
    busy,
    onSubmit,
    onClose,
    children,
  } = props
  const { t } = useTranslation('identity/security')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog title={title} onClose={onClose} width={width}>
      <form className="stack-16 security-form" noValidate onSubmit={submit}>
        {text === undefined ? null : <p className="muted">{text}</p>}
        {children}
        {problem === undefined || problem.text === null ? null : (
          <Notice kind={problem.kind} role="alert">
            {problem.text}
          </Notice>
        )}
        <div className="row-16 row-end security-choice">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
