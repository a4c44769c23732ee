import { type Ref, useRef, useState } from 'react'
import { Field } from '../../ui/Field.tsx'

/** The one field of a form, and what is wrong with it. What was refused is selected, so that typing replaces it. */
export function useRefusedField() {
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const refuse = (text: string) => {
    setError(text)
    field.current?.focus()
    field.current?.select()
  }
  return { field, error, refuse, clear: () => setError(undefined) }
}

interface RecoveryFieldProps {
  ref: Ref<HTMLInputElement>
  label: string
  value: string
  error: string | undefined
  onType: (text: string) => void
}

/** A recovery code, where there is no authenticator app at hand. */
export function RecoveryField({ onType, ...field }: RecoveryFieldProps) {
  return (
    <Field
      name="recovery"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      placeholder="xxxxx-xxxxx"
      autoFocus
      onChange={(event) => onType(event.currentTarget.value)}
      {...field}
    />
  )
}
