import type { CurrentUser } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { IconCircleCheck, IconMail, IconWallet } from '../../../../ui/icons.ts'
import { Loaded } from '../../../../ui/Loaded.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { Skeleton } from '../../../../ui/States.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import type { ProfileChange } from '../change.ts'
import { type Pending, type ProfileForm, useProfileForm } from '../useProfileForm.ts'
import { CoolingNotice } from './CoolingNotice.tsx'
import { PictureCard } from './PictureCard.tsx'
import { PersonFields, ReachFields } from './ProfileFields.tsx'
import './profile.css'

export function ProfilePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('identity/profile')
  usePageTitle(t('title'))
  return (
    <div className="page-stack profile">
      <PageHead title={t('title')} text={t('text')} />
      <CoolingNotice />
      {user === undefined ? null : <NextStep user={user} />}
      {user === undefined ? (
        <OnItsWay />
      ) : (
        <div className="profile-columns">
          <PictureCard user={user} />
          <ProfileCard user={user} />
        </div>
      )}
    </div>
  )
}

function OnItsWay() {
  return (
    <div className="card card-pad">
      <Loaded query={useCurrentUserQuery()} hold={<Skeleton width="100%" height={420} />} holdAgain />
    </div>
  )
}

function ProfileCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const whole = useProfileForm(user)
  const { change, busy, pending, submit, discard } = whole
  const isNew = Object.keys(change).length > 0
  return (
    <>
      <form className="card profile-form" noValidate onSubmit={submit}>
        <PersonFields whole={whole} user={user} />
        <ReachFields whole={whole} user={user} />
        <div className="profile-foot">
          <p className="muted small">{isNew ? t('unsaved') : t('saved')}</p>
          <div className="profile-foot-actions">
            {isNew ? (
              <Button kind="quiet" disabled={busy} onClick={discard}>
                {t('discard')}
              </Button>
            ) : null}
            <Button type="submit" kind="primary" busy={busy && pending === null} disabled={!isNew}>
              {t('save')}
            </Button>
          </div>
        </div>
      </form>
      {pending === null ? null : <CodeStep pending={pending} whole={whole} />}
    </>
  )
}

/** For a member who came from a withdrawal to register a wallet: what is missing, and the way back. */
function NextStep({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const [then] = useQueryState('then')
  if (then !== 'withdrawals') return null
  if (user.usdt_wallet === '') return <Notice icon={IconWallet}>{t('then.wallet')}</Notice>
  return (
    <Notice kind="ok" icon={IconCircleCheck} role="status">
      {t('then.ready')} <Link to="/withdrawals">{t('then.back')}</Link>
    </Notice>
  )
}

const DIGITS = 7

function CodeStep({ pending, whole }: { pending: Pending; whole: ProfileForm }) {
  const { t } = useTranslation('identity/profile')
  const { busy, confirm, resend, cancel } = whole
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  // A refused code is shown selected: typing replaces it.
  useEffect(() => {
    if (pending.error !== null) field.current?.select()
  }, [pending.error])

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length === DIGITS) void confirm(code)
    else {
      setMissing(true)
      field.current?.focus()
    }
  }
  return (
    <Dialog title={t('code.title')} onClose={cancel} width={460}>
      <form className="profile-code" noValidate onSubmit={onSubmit}>
        <Notice icon={IconMail}>{pending.sentence}</Notice>
        <Novelty change={pending.change} />
        <CodeField
          ref={field}
          data-autofocus
          label={t('code.label')}
          digits={DIGITS}
          value={code}
          onChange={(typed) => {
            setCode(typed)
            setMissing(false)
          }}
          onComplete={(typed) => void confirm(typed)}
          error={missing ? t('code.missing') : (pending.error ?? undefined)}
        />
        <div className="profile-code-foot">
          <button type="button" className="link-button" disabled={busy} onClick={() => void resend()}>
            {t('code.resend')}
          </button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('code.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Novelty({ change: { email, usdt_wallet: wallet } }: { change: ProfileChange }) {
  const { t } = useTranslation('identity/profile')
  return (
    <dl className="profile-code-change">
      {email === undefined ? null : (
        <Fact small name={t('code.newEmail')}>
          <Name text={email} />
        </Fact>
      )}
      {wallet === undefined ? null : (
        <Fact small name={t('code.newWallet')}>
          <Address value={wallet} />
        </Fact>
      )}
    </dl>
  )
}
