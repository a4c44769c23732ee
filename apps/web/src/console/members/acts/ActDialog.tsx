import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../ui/Field.tsx'
import type { Coded, Message } from '../../shared/calls.ts'
import { type Outcome, useDecision } from '../../shared/confirm.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'

const SHORTEST = 3
const LONGEST_REASON = 200

/** One line that is typed. */
interface Asked {
  name: string
  label: string
  hint?: string
  /** Why what was typed will not do; true where it does. */
  validate?: (typed: string) => string | true
  longest?: number
  start?: string
  suffix?: string
  type?: 'email' | 'tel'
  inputMode?: 'decimal' | 'numeric'
}

interface ActDialogProps<Body> {
  title: string
  /** What is confirmed with the code, in one sentence. */
  what: string
  submit: string
  danger?: boolean
  impossible?: boolean
  fields: readonly Asked[]
  /** Left out where no reason is asked for. */
  withReason?: boolean
  bodyOf: (typed: Record<string, string>) => Body
  send: (call: Body & Coded) => Promise<Outcome<Message>>
  onDone: (typed: Record<string, string>) => void
  onClose: () => void
  /** What it does, by what is typed so far. */
  children: (typed: Record<string, string>) => ReactNode
}

/** Says what an act does to a member, asks what it takes and why, and carries it out. */
export function ActDialog<Body extends object>(props: ActDialogProps<Body>) {
  const { fields, withReason = true, bodyOf, send, onDone, children, what, ...dialog } = props
  const { t } = useTranslation('console/members/acts')
  const decision = useDecision(send)
  const reason: Asked = {
    name: 'reason',
    label: t('reason.label'),
    hint: t('reason.hint'),
    longest: LONGEST_REASON,
    validate: (typed) => typed.trim().length >= SHORTEST || t('reason.missing'),
  }
  const asked = withReason ? [...fields, reason] : fields
  const form = useForm<Record<string, string>>({
    defaultValues: Object.fromEntries(asked.map(({ name, start = '' }) => [name, start])),
  })
  const submit = form.handleSubmit(async (values) => {
    const typed = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()]))
    const answer = await decision.decide(bodyOf(typed), { what, danger: dialog.danger === true })
    if (answer?.data === undefined) return
    toast.success(answer.data.message)
    onDone(typed)
  })
  return (
    <DecisionDialog {...dialog} width={520} decision={decision} onSubmit={() => void submit()}>
      {children(form.watch())}
      {asked.map(({ name, label, hint, longest, validate, suffix, type, inputMode }, place) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          autoComplete="off"
          maxLength={longest}
          {...(suffix === undefined ? {} : { suffix })}
          {...(type === undefined ? {} : { type })}
          {...(inputMode === undefined ? {} : { inputMode })}
          {...(place === 0 ? { 'data-autofocus': true } : {})}
          error={form.formState.errors[name]?.message}
          {...form.register(name, validate === undefined ? {} : { validate })}
        />
      ))}
    </DecisionDialog>
  )
}
