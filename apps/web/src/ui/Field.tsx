import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { useTranslation } from 'react-i18next'
import './forms.css'
import { IconAlertCircle } from './icons.ts'

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  error?: string | undefined
  hint?: ReactNode
  optional?: boolean
  suffix?: string
  /** A control inside the box, such as show and hide. */
  action?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function Field(props: FieldProps) {
  const { label, error, hint, optional, suffix, action, ref, ...input } = props
  const { t } = useTranslation('ui')
  const id = useId()
  const described = [error === undefined ? '' : `${id}-error`, hint === undefined ? '' : `${id}-hint`]
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        <span>{label}</span>
        {optional ? <span className="field-optional">{t('optional')}</span> : null}
      </label>
      <div className="field-box" data-invalid={error !== undefined}>
        <input
          {...input}
          ref={ref}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described.join(' ').trim() || undefined}
        />
        {suffix === undefined ? null : (
          <span className="field-suffix" aria-hidden="true">
            {suffix}
          </span>
        )}
        {action}
      </div>
      <FieldError id={`${id}-error`} text={error} />
      {hint === undefined ? null : (
        <div className="muted small" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  )
}

/** Stays in the page while empty, so that assistive technology announces the text that appears in it. */
export function FieldError({ id, text }: { id?: string; text: string | undefined }) {
  return (
    <div id={id} aria-live="polite" hidden={text === undefined} className="field-error small">
      {text === undefined ? null : (
        <>
          <IconAlertCircle size={15} stroke={1.8} aria-hidden="true" />
          <span>{text}</span>
        </>
      )}
    </div>
  )
}
