import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Failure } from '../../../api/failure.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { checkEmail } from '../registration/registerRules.ts'
import { askForReset, type NewPassword, resetPassword } from './api.ts'
import { sentFrom, typedEmail } from './reset.ts'

const FIELDS: readonly string[] = ['email', 'otp', 'password', 'password2'] satisfies (keyof NewPassword)[]

/** The form of a new password, and asking for another code. Whatever is refused, what was typed stays. */
export function useReset() {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const location = useLocation()
  const [sent, setSent] = useState(() => sentFrom(location))
  const [asking, setAsking] = useState(false)
  const form = useForm<NewPassword>({
    defaultValues: { email: typedEmail(location), otp: '', password: '', password2: '' },
    mode: 'onTouched',
  })

  const refuse = (failure: Failure) => {
    const fields = (failure.fields ?? []).filter(({ path }) => FIELDS.includes(path))
    for (const field of fields) form.setError(field.path as keyof NewPassword, { message: field.detail })
    const first = fields[0]?.path as keyof NewPassword | undefined
    if (first === undefined) toast.error(sayFailure(failure))
    else form.setFocus(first, { shouldSelect: first === 'otp' })
  }

  const submit = form.handleSubmit(async (values) => {
    const email = values.email.trim()
    const answer = await resetPassword({ ...values, email })
    if ('error' in answer) return refuse(answer.error)
    toast.success(answer.data)
    navigate('/auth/login/', { replace: true, state: { identity: email } })
  })

  const resend = async () => {
    const email = form.getValues('email')
    const rule = checkEmail(email)
    if (rule !== null) {
      form.setError('email', { message: t(`rule.${rule}`) }, { shouldFocus: true })
      return
    }
    setAsking(true)
    const answer = await askForReset(email.trim())
    setAsking(false)
    if ('error' in answer) return refuse(answer.error)
    setSent({ sentence: answer.data, at: Date.now() })
    form.resetField('otp')
    form.setFocus('otp')
  }

  return { form, submit, busy: form.formState.isSubmitting, sent, resend, asking }
}
