import { type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'
import { FieldError } from './Field.tsx'
import './forms.css'

export interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  error?: string | undefined
  hint?: ReactNode
  ref?: Ref<HTMLSelectElement>
}

/** A choice among a few. */
export function SelectField({ label, error, hint, ref, children, ...select }: SelectFieldProps) {
  const id = useId()
  const described = [error === undefined ? '' : `${id}-error`, hint == null ? '' : `${id}-hint`]
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        <span>{label}</span>
      </label>
      <div className="field-box" data-invalid={error !== undefined}>
        <select
          {...select}
          ref={ref}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described.join(' ').trim() || undefined}
        >
          {children}
        </select>
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
