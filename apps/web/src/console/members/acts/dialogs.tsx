import type { MemberActs } from '@aval/contract'
import { plainPhone, plainTyped } from '@aval/contract/typed'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { ActDialog } from './ActDialog.tsx'
import {
  useAskForEmailMutation,
  useAskReleaseMutation,
  useCloseMemberMutation,
  useCorrectEmailMutation,
  useCorrectPhoneMutation,
  useEndReleaseMutation,
  useFreezeMutation,
  useSetFundatorMutation,
} from './api.ts'

/** What every dialog of an act is about. */
export interface ActOn {
  member: number
  username: string
  acts: MemberActs
  onClose: () => void
}

export function FreezeDialog({ member, username, acts, onClose }: ActOn) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useFreezeMutation()
  const frozen = acts.frozen === null
  const { count, amount } = acts.stoppable
  return (
    <ActDialog
      title={t(frozen ? 'freeze.title' : 'unfreeze.title', { member: username })}
      what={t(frozen ? 'freeze.confirm' : 'unfreeze.confirm', { member: username })}
      submit={t(frozen ? 'freeze.submit' : 'unfreeze.submit')}
      danger={frozen}
      fields={[]}
      bodyOf={({ reason = '' }) => ({ member, frozen, reason })}
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="muted">{t(frozen ? 'freeze.text' : 'unfreeze.text')}</p>
          {count === 0 ? null : (
            <p>{t(frozen ? 'freeze.stops' : 'unfreeze.goesOn', { count, amount: formats.money(amount) })}</p>
          )}
          {frozen && acts.on_their_way > 0 ? (
            <Notice kind="wait" icon={IconAlertTriangle}>
              {t('freeze.onTheirWay', { count: acts.on_their_way })}
            </Notice>
          ) : null}
          {frozen ? <p className="muted">{t('freeze.reasonShown')}</p> : null}
        </>
      )}
    </ActDialog>
  )
}

export function FundatorDialog({ member, username, acts, onClose }: ActOn) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useSetFundatorMutation()
  const fundator = !acts.fundator
  const words = { member: username, count: acts.masters }
  return (
    <ActDialog
      title={t(fundator ? 'fundator.onTitle' : 'fundator.offTitle', words)}
      what={t(fundator ? 'fundator.onConfirm' : 'fundator.offConfirm', words)}
      submit={t('fundator.submit')}
      danger={!fundator}
      fields={[]}
      bodyOf={({ reason = '' }) => ({ member, fundator, reason })}
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {() => <p className="muted">{t(fundator ? 'fundator.onText' : 'fundator.offText', words)}</p>}
    </ActDialog>
  )
}

/** First the address; then the code that the member read there. */
export function EmailDialog({ member, username, acts, onClose }: ActOn) {
  const { t } = useTranslation('console/members/acts')
  const [ask] = useAskForEmailMutation()
  const [correct] = useCorrectEmailMutation()
  const [email, setEmail] = useState<string | null>(null)
  const title = t('email.title', { member: username })
  if (email === null) {
    return (
      <ActDialog
        title={title}
        what={t('email.askConfirm', { member: username })}
        submit={t('email.ask')}
        fields={[
          {
            name: 'email',
            label: t('email.label'),
            type: 'email',
            longest: 254,
            validate: (typed) => /.+@.+\..+/.test(plainTyped(typed)) || t('email.invalid'),
          },
        ]}
        bodyOf={({ email: typed = '', reason = '' }) => ({ member, email: typed, reason })}
        send={ask}
        onDone={(typed) => setEmail(typed['email'] ?? '')}
        onClose={onClose}
      >
        {() => <p className="muted">{t('email.text', { email: acts.email })}</p>}
      </ActDialog>
    )
  }
  return (
    <ActDialog
      key="code"
      title={title}
      what={t('email.confirm', { member: username, email })}
      submit={t('email.submit')}
      withReason={false}
      fields={[
        {
          name: 'code',
          label: t('email.code'),
          inputMode: 'numeric',
          longest: 20,
          validate: (typed) => /^\D*(\d\D*){7}$/.test(typed) || t('email.codeInvalid'),
        },
      ]}
      bodyOf={({ code = '' }) => ({ member, email, code })}
      send={correct}
      onDone={onClose}
      onClose={onClose}
    >
      {() => <p className="muted">{t('email.codeText', { email })}</p>}
    </ActDialog>
  )
}

export function PhoneDialog({ member, username, acts, onClose }: ActOn) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useCorrectPhoneMutation()
  return (
    <ActDialog
      title={t('phone.title', { member: username })}
      what={t('phone.confirm', { member: username })}
      submit={t('phone.submit')}
      fields={[
        {
          name: 'phone',
          label: t('phone.label'),
          hint: t('phone.hint'),
          type: 'tel',
          start: acts.phone,
          longest: 21,
          validate: (typed) => /^(\+?\d{6,20})?$/.test(plainPhone(typed)) || t('phone.invalid'),
        },
      ]}
      bodyOf={({ phone = '', reason = '' }) => ({ member, phone, was: acts.phone, reason })}
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {() => <p className="muted">{t('phone.text')}</p>}
    </ActDialog>
  )
}

const SHORTEST_PROOF = 10

/** Asks for it; where another operator did, agrees or refuses. */
export function ReleaseDialog({ member, username, onClose }: ActOn) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useAskReleaseMutation()
  return (
    <ActDialog
      title={t('release.title', { member: username })}
      what={t('release.confirm', { member: username })}
      submit={t('release.submit')}
      danger
      fields={[
        {
          name: 'identified',
          label: t('release.identified'),
          hint: t('release.identifiedHint'),
          longest: 500,
          validate: (typed) => typed.trim().length >= SHORTEST_PROOF || t('release.identifiedMissing'),
        },
      ]}
      bodyOf={({ identified = '', reason = '' }) => ({ member, identified, reason })}
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {() => <p className="muted">{t('release.text')}</p>}
    </ActDialog>
  )
}

export function EndReleaseDialog({ member, username, acts, onClose, agrees }: ActOn & { agrees: boolean }) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useEndReleaseMutation()
  const { release } = acts
  return (
    <ReasonDialog
      title={t(agrees ? 'release.agreeTitle' : 'release.refuseTitle', { member: username })}
      width={520}
      send={send}
      what={t(agrees ? 'release.agreeConfirm' : 'release.refuseConfirm', { member: username })}
      bodyOf={() => ({ member, agrees })}
      reason={null}
      submit={t(agrees ? 'release.agree' : 'release.refuse')}
      danger={agrees}
      onDecided={onClose}
      onClose={onClose}
    >
      {release === null ? null : (
        <dl className="figures acts-asked">
          <div>
            <dt className="muted">{t('release.asker')}</dt>
            <dd>{`${release.by} · ${formats.shortStamp(release.at)}`}</dd>
          </div>
          <div>
            <dt className="muted">{t('reason.label')}</dt>
            <dd>{release.reason}</dd>
          </div>
          <div>
            <dt className="muted">{t('release.identified')}</dt>
            <dd>{release.identified}</dd>
          </div>
        </dl>
      )}
      <p className="muted">{t(agrees ? 'release.agreeText' : 'release.refuseText')}</p>
    </ReasonDialog>
  )
}

export function CloseDialog({ member, username, acts, onClose }: ActOn) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useCloseMemberMutation()
  const { left, refused } = acts.closing
  const impossible = left.length > 0 || refused !== null
  return (
    <ActDialog
      title={t('close.title', { member: username })}
      what={t('close.confirm', { member: username })}
      submit={t('close.submit')}
      danger
      impossible={impossible}
      fields={[
        {
          name: 'username',
          label: t('close.username'),
          longest: 100,
          validate: (typed) =>
            plainTyped(typed).toLowerCase() === username.toLowerCase() || t('close.otherName'),
        },
      ]}
      bodyOf={({ username: typed = '', reason = '' }) => ({ member, username: typed, reason })}
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="muted">{t('close.text')}</p>
          {refused === null ? null : (
            <Notice kind="bad" icon={IconAlertTriangle}>
              {t(`close.refused.${refused}`)}
            </Notice>
          )}
          {left.length === 0 ? null : (
            <div className="stack-6">
              <Notice kind="bad" icon={IconAlertTriangle}>
                {t('close.left')}
              </Notice>
              <ul className="acts-left">
                {left.map(({ what, amount, count }) => (
                  <li key={what}>{t(`left.${what}`, { amount: formats.money(amount), count })}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </ActDialog>
  )
}
