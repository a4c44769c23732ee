import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, type FieldProps } from './Field.tsx'
import { IconEye, IconEyeOff } from './icons.ts'

export function PasswordField(props: FieldProps) {
  const { t } = useTranslation('ui')
  const [shown, setShown] = useState(false)
  return (
    <Field
      spellCheck={false}
      autoCapitalize="off"
      {...props}
      type={shown ? 'text' : 'password'}
      action={
        <button
          type="button"
          className="field-action centred"
          aria-pressed={shown}
          aria-label={t('showPassword')}
          onClick={() => setShown(!shown)}
        >
          {shown ? <IconEyeOff size={18} stroke={1.6} /> : <IconEye size={18} stroke={1.6} />}
        </button>
      }
    />
  )
}
