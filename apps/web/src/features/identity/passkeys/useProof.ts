import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { APP_DIGITS, belongsToField } from '../codes.ts'
import type { Proof } from './api.ts'

type FieldName = 'password' | 'code'

/** Password and code as they are typed, and what is wrong with them. Nothing typed is lost by a refusal. */
export function useProof(withCode: boolean) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [typed, setTyped] = useState({ password: '', code: '' })
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({})
  const fields = { password: useRef<HTMLInputElement>(null), code: useRef<HTMLInputElement>(null) }

  const refuse = (name: FieldName, text: string) => {
    setErrors({ [name]: text })
    fields[name].current?.focus()
    fields[name].current?.select()
    return null
  }
  return {
    typed,
    errors,
    fields,
    withCode,
    type: (name: FieldName, text: string) => {
      setTyped((before) => ({ ...before, [name]: text }))
      setErrors({})
    },
    /** What to send; null where something is missing, which is said at its field. */
    read: (): Proof | null => {
      if (typed.password === '') return refuse('password', t('passkeys.passwordMissing'))
      if (withCode && typed.code.length !== APP_DIGITS) return refuse('code', t('code.missing'))
      return { current_password: typed.password, ...(withCode && { otp: typed.code }) }
    },
    /** Says at its field what was refused. @returns whether it is about one of them */
    refused: (failure: Failure): boolean => {
      const isPassword = failure.code === 'current_password_wrong'
      if (!isPassword && !belongsToField(failure)) return false
      refuse(isPassword || !withCode ? 'password' : 'code', sayFailure(failure))
      return true
    },
  }
}

export type ProofState = ReturnType<typeof useProof>
