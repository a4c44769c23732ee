import { plainTyped } from '@aval/contract/typed'
import { useState } from 'react'
import { Controller, FormProvider, useForm, useFormContext } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { countdownText, useTimeLeft } from '../../../../ui/countdown.ts'
import { Field } from '../../../../ui/Field.tsx'
import { IconMail } from '../../../../ui/icons.ts'
import { Link } from '../../../../ui/Link.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { showRefusedFields } from '../../../../ui/refusedFields.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { usePressFirst } from '../../../../ui/usePressFirst.ts'
import { NewPasswordFields } from '../../new-password/components/NewPasswordFields.tsx'
import { checkEmail } from '../../registration/registerRules.ts'
import { askForReset, type NewPassword, resetPassword } from '../api.ts'
import { linkToken, RESEND_AFTER, sentFrom, typedEmail } from '../reset.ts'
import { ResetByLink } from './ResetByLink.tsx'
import '../../auth.css'

const DIGITS = 7

/** Where a forgotten password is replaced: by the link of the e-mail, or by its code. */
export function ResetPasswordPage() {
  const { hash } = useLocation()
  const token = linkToken(hash)
  return token === null ? <ResetByCode /> : <ResetByLink token={token} />
}

/** The code from the e-mail, and a new password. */
function ResetByCode() {
  const { t } = useTranslation('identity')
  const { form, submit, busy, sent, resend, asking } = useReset()
  usePageTitle(t('reset.title'))
  return (
    <div className="card auth-card">
      <h1>{t('reset.title')}</h1>
      <p className="muted auth-sub">{t('reset.text')}</p>
      <FormProvider {...form}>
        <form className="stack-16 auth-form" noValidate onSubmit={submit} {...usePressFirst()}>
          {sent === null ? null : (
            <Notice icon={IconMail} role="status">
              {sent.sentence}
            </Notice>
          )}
          <ResetFields />
          <p className="muted small">{t('reset.sessions')}</p>
          <Button type="submit" kind="primary" size="large" wide busy={busy}>
            {t('reset.submit')}
          </Button>
        </form>
      </FormProvider>
      <p className="row-16 row-apart muted small auth-foot auth-ways">
        <Link to="/auth/login/">{t('forgot.back')}</Link>
        <Resend sentAt={sent?.at ?? 0} asking={asking} onResend={() => void resend()} />
      </p>
    </div>
  )
}

function ResetFields() {
  const { t } = useTranslation('identity')
  const form = useFormContext<NewPassword>()
  return (
    <>
      <Field
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="username"
        maxLength={254}
        error={form.formState.errors.email?.message}
        {...form.register('email', {
          validate: (value) => {
            const rule = checkEmail(value)
            return rule === null ? true : t(`rule.${rule}`)
          },
        })}
      />
      <Controller
        control={form.control}
        name="otp"
        rules={{ validate: (value) => (value.length === DIGITS ? true : t('reset.codeMissing')) }}
        render={({ field, fieldState }) => (
          <CodeField {...field} label={t('reset.code')} digits={DIGITS} error={fieldState.error?.message} />
        )}
      />
      <NewPasswordFields
        labels={{ password: t('reset.password'), repeat: t('reset.password2') }}
        known={[form.watch('email').split('@')[0] ?? '']}
      />
    </>
  )
}

function Resend({ sentAt, asking, onResend }: { sentAt: number; asking: boolean; onResend: () => void }) {
  const { t } = useTranslation('identity')
  const left = useTimeLeft(sentAt + RESEND_AFTER)
  if (left > 0)
    return (
      <span role="timer" translate="no">
        {t('reset.wait', { left: countdownText(left) })}
      </span>
    )
  return (
    <button type="button" className="link-button" disabled={asking} onClick={onResend}>
      {t('reset.resend')}
    </button>
  )
}

/** The form of a new password, and asking for another code. Whatever is refused, what was typed stays. */
function useReset() {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const location = useLocation()
  const [sent, setSent] = useState(() => sentFrom(location))
  const [asking, setAsking] = useState(false)
  /** On a slow line this page stays for a while until the next one is there. */
  const [isDone, setDone] = useState(false)
  const form = useForm<NewPassword>({
    defaultValues: { email: typedEmail(location), otp: '', password: '', password2: '' },
    mode: 'onTouched',
  })

  const refuse = (failure: Failure) => {
    if (!showRefusedFields(form, failure)) toast.error(sayFailure(failure))
  }

  const submit = form.handleSubmit(async (values) => {
    const email = plainTyped(values.email)
    const answer = await resetPassword({ ...values, email })
    if ('error' in answer) return refuse(answer.error)
    toast.success(answer.data)
    setDone(true)
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
    const answer = await askForReset(plainTyped(email))
    setAsking(false)
    if ('error' in answer) return refuse(answer.error)
    setSent({ sentence: answer.data, at: Date.now() })
    form.resetField('otp')
    form.setFocus('otp')
  }

  return { form, submit, busy: form.formState.isSubmitting || isDone, sent, resend, asking }
}
