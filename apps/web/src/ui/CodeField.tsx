import { plainTyped } from '@aval/contract/typed'
import type { ChangeEvent } from 'react'
import './codeField.css'
import { Field, type FieldProps } from './Field.tsx'

interface CodeFieldProps extends Omit<FieldProps, 'value' | 'onChange' | 'suffix' | 'optional'> {
  digits: number
  value: string
  onChange: (value: string) => void
  /** Called when the last digit was typed, pasted or filled in. */
  onComplete?: (value: string) => void
}

/**
 * A code of a fixed number of digits. It is one field, so that pasting, autofill from a message and screen readers work.
 * Other characters in a pasted text are removed.
 */
export function CodeField({ digits, value, onChange, onComplete, ...field }: CodeFieldProps) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const typed = plainTyped(event.currentTarget.value).replace(/\D/g, '').slice(0, digits)
    onChange(typed)
    if (typed.length === digits && typed !== value) onComplete?.(typed)
  }
  return (
    <div className="code-field">
      <Field
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d*"
        spellCheck={false}
        placeholder={'·'.repeat(digits)}
        {...field}
        value={value}
        onChange={change}
        onFocus={(event) => event.currentTarget.select()}
      />
    </div>
  )
}
