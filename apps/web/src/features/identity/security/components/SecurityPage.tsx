import type { CurrentUser } from '@aval/contract'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { IconKey } from '../../../../ui/icons.ts'
import { NewPasswordFields, usePasswordRuleText } from '../../../../ui/NewPasswordFields.tsx'
import { checkPassword, checkRepeat } from '../../../../ui/newPassword.ts'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { PasswordField } from '../../../../ui/PasswordField.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { type Passwords, useChangePasswordMutation } from '../api.ts'
import { CardTitle } from './CardTitle.tsx'
import { EventsCard, SessionsCard } from './SecurityLists.tsx'
import { TwoFactorCard } from './TwoFactorCard.tsx'
import './security.css'

interface SecurityPageProps {
  user: CurrentUser | undefined
  /** What keeps money in for now. */
  notice: ReactNode
  /** Hours in which no money leaves after a change here; undefined while that is not known. */
  coolingHours: number | undefined
}

export function SecurityPage({ user, notice, coolingHours = 0 }: SecurityPageProps) {
  const { t } = useTranslation('identity/security')
  const cooling = coolingHours === 0 ? '' : t('cooling', { count: coolingHours })
  usePageTitle(t('title'))
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      {notice}
      <div className="security-columns">
        <PasswordCard user={user} cooling={cooling} />
        <TwoFactorCard username={user?.username ?? ''} cooling={cooling} />
      </div>
      <SessionsCard />
      <EventsCard />
    </div>
  )
}

const EMPTY: Passwords = { current_password: '', password: '', password2: '' }
const isField = (path: string): path is keyof Passwords => path in EMPTY

function usePasswordChange() {
  const sayFailure = useFailureText()
  const [send, { isLoading: busy }] = useChangePasswordMutation()
  const form = useForm<Passwords>({ defaultValues: EMPTY, mode: 'onTouched' })

  const refuse = (failure: Failure) => {
    const fields = (failure.fields ?? []).filter((field) => isField(field.path))
    for (const field of fields) form.setError(field.path as keyof Passwords, { message: field.detail })
    const first = fields[0]?.path as keyof Passwords | undefined
    if (first === undefined) toast.error(sayFailure(failure))
    else form.setFocus(first, { shouldSelect: true })
  }
  const submit = form.handleSubmit(async (values) => {
    const answer = await send(values)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    form.reset(EMPTY)
    toast.success(answer.data.message)
  })
  return { form, busy, submit }
}

interface PasswordCardProps {
  user: CurrentUser | undefined
  /** What a change does to money; empty for nothing. */
  cooling: string
}

function PasswordCard({ user, cooling }: PasswordCardProps) {
  const { t } = useTranslation('identity/security')
  const sayPassword = usePasswordRuleText()
  const { form, busy, submit } = usePasswordChange()
  const { errors } = form.formState
  const { password, password2 } = form.watch()
  return (
    <section className="card card-pad security-card" aria-labelledby="security-password">
      <CardTitle
        id="security-password"
        icon={<IconKey size={20} stroke={1.6} />}
        text={t('password.title')}
      />
      <form className="stack-16 security-form" noValidate onSubmit={submit}>
        {/* Tells a password manager whose password it is about to replace. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={user?.username ?? ''}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
          className="visually-hidden"
        />
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          maxLength={100}
          error={errors.current_password?.message}
          {...form.register('current_password', {
            validate: (typed) => typed !== '' || sayPassword('required'),
          })}
        />
        <NewPasswordFields
          labels={{ password: t('password.next'), repeat: t('password.repeat') }}
          typed={{ password, repeat: password2 }}
          errors={{ password: errors.password?.message, repeat: errors.password2?.message }}
          known={[user?.username ?? '', user?.email.split('@')[0] ?? '']}
          password={form.register('password', {
            validate: (typed) => sayPassword(checkPassword(typed)),
            // Said again where it was typed before, and not before it was typed.
            onChange: () => form.getValues('password2') !== '' && form.trigger('password2'),
          })}
          repeat={form.register('password2', {
            validate: (typed, all) => sayPassword(checkRepeat(typed, all.password)),
          })}
        />
        <p className="muted small">
          {t('password.consequence')} {cooling}
        </p>
        <div className="row-16 security-actions">
          <Button type="submit" kind="primary" busy={busy}>
            {t('password.submit')}
          </Button>
          <Link to="/auth/forgot-password" state={{ identity: user?.email ?? '' }} className="small">
            {t('password.forgot')}
          </Link>
        </div>
      </form>
    </section>
  )
}
