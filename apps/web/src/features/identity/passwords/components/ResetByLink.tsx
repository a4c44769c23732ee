import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Button } from '../../../../ui/Button.tsx'
import { Link } from '../../../../ui/Link.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { showRefusedFields } from '../../../../ui/refusedFields.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { usePressFirst } from '../../../../ui/usePressFirst.ts'
import { NewPasswordFields } from '../../new-password/components/NewPasswordFields.tsx'
import { type NewPasswordByLink, resetPasswordByLink } from '../api.ts'
import '../../auth.css'

/** Where the link of the e-mail leads: nothing is asked but the new password. Nothing is sent before somebody presses. */
export function ResetByLink({ token }: { token: string }) {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const form = useForm<Omit<NewPasswordByLink, 'token'>>({
    defaultValues: { password: '', password2: '' },
    mode: 'onTouched',
  })
  const [isDone, setDone] = useState(false)
  usePageTitle(t('reset.title'))
  const submit = form.handleSubmit(async (values) => {
    const answer = await resetPasswordByLink({ ...values, token })
    if ('data' in answer) {
      toast.success(answer.data)
      // On a slow line this page stays for a while until the next one is there.
      setDone(true)
      navigate('/auth/login/', { replace: true })
      return
    }
    const { error: failure } = answer
    if (failure.code === 'reset_link_invalid') form.setError('root', { message: sayFailure(failure) })
    else if (!showRefusedFields(form, failure)) toast.error(sayFailure(failure))
  })
  const { root } = form.formState.errors
  return (
    <div className="card auth-card">
      <h1>{t('reset.title')}</h1>
      <p className="muted auth-sub">{t('reset.linkText')}</p>
      <FormProvider {...form}>
        <form className="stack-16 auth-form" noValidate onSubmit={submit} {...usePressFirst()}>
          <NewPasswordFields
            labels={{ password: t('reset.password'), repeat: t('reset.password2') }}
            known={[]}
          />
          <p className="muted small">{t('reset.sessions')}</p>
          {root?.message === undefined ? null : (
            <Notice kind="bad" role="alert">
              {root.message}
            </Notice>
          )}
          <Button type="submit" kind="primary" size="large" wide busy={form.formState.isSubmitting || isDone}>
            {t('reset.submit')}
          </Button>
        </form>
      </FormProvider>
      <p className="row-16 row-apart muted small auth-foot auth-ways">
        <Link to="/auth/login/">{t('forgot.back')}</Link>
        <Link to="/auth/forgot-password">{t('reset.linkOld')}</Link>
      </p>
    </div>
  )
}
