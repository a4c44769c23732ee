import type { CurrentUser, MemberKeyState } from '@aval/contract'
import { useEffect, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useDispatch } from 'react-redux'
import { client } from '../../../../api/client.ts'
import type { Failure } from '../../../../api/failure.ts'
import { useMemberKeyQuery } from '../../../../api/memberKey.ts'
import { Button } from '../../../../ui/Button.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconLock } from '../../../../ui/icons.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { Loaded, Skeleton } from '../../../../ui/States.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { focusHeading, SecurityCard } from '../../SecurityCard.tsx'
import { type MemberKeyKind, type PasskeyItem, useCancelMemberKeyMutation, usePasskeysQuery } from '../api.ts'
import { MemberKeyDialog } from './MemberKeyDialog.tsx'

const TITLE = 'security-member-key'
const BUTTONS = { on: 'turnOn', off: 'turnOff', replaced: 'replace', recovered: 'lost' } as const
/** While the signer decides, which takes a second or two. */
const ASK_AGAIN_MS = 2_000

/** Whether only one passkey moves the member's money, and every change of that. */
export function MemberKeyCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/security')
  const dispatch = useDispatch()
  const [waits, setWaits] = useState(false)
  const query = useMemberKeyQuery(undefined, waits ? { pollingInterval: ASK_AGAIN_MS } : {})
  const passkeys = usePasskeysQuery()
  const { data } = query
  const isPending = data !== undefined && data.waiting !== null && data.waiting.kind !== 'recovered'
  useEffect(() => setWaits(isPending), [isPending])
  const on = data?.on
  useEffect(() => {
    if (on !== undefined && on !== user.passkey_only) dispatch(client.util.invalidateTags(['User']))
  }, [on, user.passkey_only, dispatch])
  const badge =
    on === undefined ? null : (
      <span className={on ? 'badge badge-ok' : 'badge'}>{t(on ? 'memberKey.on' : 'memberKey.off')}</span>
    )
  const hold = (
    <div aria-busy="true">
      <Skeleton width="100%" height={40} />
    </div>
  )
  return (
    <SecurityCard id={TITLE} icon={IconLock} title={t('memberKey.title')} action={badge}>
      <div className="stack-16 member-key">
        <p className="muted small">{t('memberKey.text')}</p>
        <Loaded query={query} hold={hold} holdAgain>
          {(state) => (
            <Loaded query={passkeys} hold={hold} holdAgain>
              {({ results }) => <MemberKeyStanding state={state} user={user} passkeys={results} />}
            </Loaded>
          )}
        </Loaded>
      </div>
    </SecurityCard>
  )
}

interface StandingProps {
  state: MemberKeyState
  user: CurrentUser
  passkeys: readonly PasskeyItem[]
}

function MemberKeyStanding({ state, user, passkeys }: StandingProps) {
  const { t } = useTranslation('identity/security')
  const current = passkeys.find(({ id }) => id === state.credential_id)
  return (
    <div className="stack-16">
      {state.on ? (
        <p className="passkeys-name">
          {t('memberKey.current', { name: current?.name ?? t('memberKey.unknown') })}
        </p>
      ) : null}
      {state.usable_from === null ? null : (
        <Notice kind="wait">{t('memberKey.usable', { date: formats.dateTime(state.usable_from) })}</Notice>
      )}
      <Refused why={state.refused} />
      {state.waiting === null ? (
        <MemberKeyActions state={state} user={user} passkeys={passkeys} />
      ) : (
        <Waiting kind={state.waiting.kind} since={state.waiting.submitted_at} />
      )}
    </div>
  )
}

function Refused({ why }: { why: string | null }) {
  const { t } = useTranslation('identity/security')
  if (why === null || why === 'cancelled') return null
  return <Notice kind="bad">{t(`memberKey.${why === 'member_key_expired' ? 'expired' : 'refused'}`)}</Notice>
}

function Waiting({ kind, since }: { kind: MemberKeyKind; since: string }) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [takeBack, { isLoading }] = useCancelMemberKeyMutation()
  const onTakeBack = async () => {
    const answer = await takeBack()
    if (answer.error === undefined) toast.success(answer.data.message)
    else toast.error(sayFailure(answer.error as Failure))
  }
  if (kind !== 'recovered')
    return (
      <Notice kind="wait" role="status">
        {t('memberKey.waiting')}
      </Notice>
    )
  return (
    <>
      <Notice kind="wait" role="status">
        {t('memberKey.waitingLost', { date: formats.dateTime(since) })}
      </Notice>
      <p className="muted small">{t('memberKey.waitingLostBack')}</p>
      <div className="row-16 security-actions">
        <Button busy={isLoading} onClick={onTakeBack}>
          {t('memberKey.takeBack')}
        </Button>
      </div>
    </>
  )
}

function MemberKeyActions({ state, user, passkeys }: StandingProps) {
  const { t } = useTranslation('identity/security')
  const [asking, setAsking] = useState<MemberKeyKind | null>(null)
  const others = passkeys.filter(({ id }) => id !== state.credential_id)
  // One that does not move money yet signs no change either.
  const choices: readonly MemberKeyKind[] = !state.on
    ? ['on']
    : (['replaced', 'recovered', 'off'] as const).filter(
        (kind) =>
          (kind === 'off' || others.length > 0) && (kind === 'recovered' || state.usable_from === null),
      )
  const done = () => {
    setAsking(null)
    // The button is gone, so the focus goes to the heading above.
    focusHeading(TITLE)
  }
  if (!state.on && passkeys.length === 0) return <p className="muted small">{t('memberKey.none')}</p>
  return (
    <>
      <div className="row-12 security-actions">
        {choices.map((kind) => (
          <Button key={kind} kind={kind === 'on' ? 'primary' : 'secondary'} onClick={() => setAsking(kind)}>
            {t(`memberKey.${BUTTONS[kind]}`)}
          </Button>
        ))}
      </div>
      {state.on && others.length === 0 ? <p className="muted small">{t('memberKey.lostFirst')}</p> : null}
      {asking === null ? null : (
        <MemberKeyDialog
          kind={asking}
          user={user}
          passkeys={others}
          onClose={() => setAsking(null)}
          onDone={done}
        />
      )}
    </>
  )
}
