import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'
import { useTranslation } from 'react-i18next'
import '@aval/look/forms.css'
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
  return (
    <FieldFrame label={label} error={error} hint={hint} optional={optional}>
      {(described) => (
        <>
          <input {...input} {...described} ref={ref} />
          {suffix === undefined ? null : (
            <span className="field-suffix faint small" aria-hidden="true">
              {suffix}
            </span>
          )}
          {action}
        </>
      )}
    </FieldFrame>
  )
}

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  error?: string | undefined
  hint?: ReactNode
  ref?: Ref<HTMLSelectElement>
}

/** A choice among a few. */
export function SelectField({ label, error, hint, ...select }: SelectFieldProps) {
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(described) => <select {...select} {...described} />}
    </FieldFrame>
  )
}

export interface FieldFrameProps extends Pick<FieldProps, 'label' | 'error' | 'hint'> {
  optional?: boolean | undefined
  /** The control in the box, by the attributes that tie it to what is written around it. */
  children: (described: InputHTMLAttributes<unknown>) => ReactNode
}

export function FieldFrame({ label, error, hint, optional, children }: FieldFrameProps) {
  const { t } = useTranslation('ui')
  const id = useId()
  const described = [error === undefined ? '' : `${id}-error`, hint == null ? '' : `${id}-hint`]
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        <span>{label}</span>
        {optional ? <span className="field-optional faint">{t('optional')}</span> : null}
      </label>
      <div className="field-box" data-invalid={error !== undefined}>
        {children({
          id,
          'aria-invalid': error !== undefined || undefined,
          'aria-describedby': described.join(' ').trim() || undefined,
        })}
      </div>
      <FieldError id={`${id}-error`} text={error} />
      {hint == null ? null : (
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
