import type { FormEvent, ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { IconAlertCircle } from '../../ui/icons.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useFailureText } from '../../ui/useFailureText.ts'
import type { Coded, Message } from './calls.ts'
import { type Outcome, useDecision } from './confirm.ts'

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
    <form className="stack-14" noValidate onSubmit={send}>
      {children}
      <FailureNotice failure={decision.failure} />
      <div className="dialog-actions row-8 row-end">
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

interface DecisionDialogProps extends DecisionFormProps {
  title: string
  width: number
}

/** Such a form in a dialog, which stays open while it is being sent. */
export function DecisionDialog({ title, width, ...form }: DecisionDialogProps) {
  const close = () => {
    if (!form.decision.busy) form.onClose()
  }
  return (
    <Dialog title={title} width={width} onClose={close}>
      <DecisionForm {...form} onClose={close} />
    </Dialog>
  )
}

const SHORTEST_REASON = 3

interface ReasonDialogProps<Body> extends Omit<DecisionDialogProps, 'decision' | 'onSubmit' | 'back'> {
  send: (call: Body & Coded) => Promise<Outcome<Message>>
  /** What is confirmed with the code, in one sentence. */
  what: string
  bodyOf: (reason: string) => Body
  /** The field for the reason; null where none is asked for. Without `missing` it may be left empty. */
  reason: { label: string; hint: string; longest: number; missing?: string } | null
  onDecided: () => void
}

/** Says what a decision does, asks why, and carries it out. */
export function ReasonDialog<Body extends object>(props: ReasonDialogProps<Body>) {
  const { send, what, bodyOf, reason: asked, onDecided, children, ...dialog } = props
  const decision = useDecision(send)
  const form = useForm({ defaultValues: { reason: '' } })
  const submit = form.handleSubmit(async ({ reason }) => {
    const answer = await decision.decide(bodyOf(reason.trim()), { what, danger: dialog.danger === true })
    if (answer?.data === undefined) return
    toast.success(answer.data.message)
    onDecided()
  })
  const validate = (typed: string) =>
    asked?.missing === undefined || typed.trim().length >= SHORTEST_REASON || asked.missing
  return (
    <DecisionDialog {...dialog} decision={decision} onSubmit={() => void submit()}>
      {children}
      {asked === null ? null : (
        <Field
          label={asked.label}
          hint={asked.hint}
          optional={asked.missing === undefined}
          autoComplete="off"
          maxLength={asked.longest}
          data-autofocus
          error={form.formState.errors.reason?.message}
          {...form.register('reason', { validate })}
        />
      )}
    </DecisionDialog>
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
