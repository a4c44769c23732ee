import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconAlertCircle } from '../../ui/icons.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useFailureText } from '../../ui/useFailureText.ts'

interface DecisionFormProps {
  decision: { failure: Failure | null; busy: boolean }
  /** What the button says that carries it out; without one there is only a way back. */
  submit: string | null
  back?: string
  danger?: boolean
  impossible?: boolean
  onSubmit: () => void
  onClose: () => void
  /** What is decided, and what is asked for it. */
  children: ReactNode
}

/** What is decided, why it was refused, and the two ways out of it. What was typed survives a refusal. */
export function DecisionForm(props: DecisionFormProps) {
  const { t } = useTranslation('console/shared')
  const { decision, submit, back = t('code.back'), danger, impossible, onSubmit, onClose, children } = props
  const send = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog over another form: React would hand it on.
    event.stopPropagation()
    if (!decision.busy) onSubmit()
  }
  return (
    <form className="decision" noValidate onSubmit={send}>
      {children}
      <FailureNotice failure={decision.failure} />
      <div className="dialog-actions">
        {/* The keyboard begins at the first field; where there is none, at the way back. */}
        <Button onClick={onClose} disabled={decision.busy}>
          {back}
        </Button>
        {submit === null ? null : (
          <Button
            type="submit"
            kind={danger ? 'danger' : 'primary'}
            busy={decision.busy}
            disabled={impossible}
          >
            {submit}
          </Button>
        )}
      </div>
    </form>
  )
}

/** Such a form in a dialog, which stays open while it is being sent. */
export function DecisionDialog({
  title,
  width,
  ...form
}: DecisionFormProps & { title: string; width: number }) {
  const close = () => {
    if (!form.decision.busy) form.onClose()
  }
  return (
    <Dialog title={title} width={width} onClose={close}>
      <DecisionForm {...form} onClose={close} />
    </Dialog>
  )
}

/** Why a request was refused, at the place where it was made. Announced when it appears. */
export function FailureNotice({ failure }: { failure: Failure | null }) {
  const sayFailure = useFailureText()
  return (
    <div role="alert" className="failure-place">
      {failure === null ? null : (
        <Notice kind="bad" icon={IconAlertCircle} stroke={1.7}>
          {sayFailure(failure)}
        </Notice>
      )}
    </div>
  )
}
