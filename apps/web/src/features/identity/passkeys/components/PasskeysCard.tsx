import type { Passkeys } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMemberKeyQuery } from '../../../../api/memberKey.ts'
import { whyNoPasskeyHere } from '../../../../api/passkeyPlace.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn } from '../../../../ui/DataTable.tsx'
import { IconFingerprint, IconPlus } from '../../../../ui/icons.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../../ui/States.tsx'
import { focusHeading, SecurityListCard } from '../../SecurityCard.tsx'
import { When } from '../../When.tsx'
import { type PasskeyItem, usePasskeysQuery } from '../api.ts'
import { AddPasskey, KeepPasskey, RemovePasskey, RenamePasskey } from './PasskeyDialogs.tsx'
import './passkeys.css'

const TITLE = 'security-passkeys'

type Choice = { what: 'add' } | { what: 'rename' | 'remove'; passkey: PasskeyItem }

interface PasskeysCardProps {
  cooling: string
  /** Whether two-factor is on: then a change takes a code, too. */
  withCode: boolean
}

/** The member's passkeys. Where none can be used, it says why. */
export function PasskeysCard({ cooling, withCode }: PasskeysCardProps) {
  const { t } = useTranslation('identity/security')
  const query = usePasskeysQuery()
  const mover = useMemberKeyQuery().data?.credential_id ?? null
  const [asking, setAsking] = useState<Choice | null>(null)
  const why = query.data === undefined ? null : whyNoPasskeyHere(query.data.origin)
  const isFull = query.data !== undefined && query.data.results.length >= query.data.most
  const close = () => setAsking(null)
  const done = () => {
    close()
    // The row or the button may be gone, so the focus goes to the heading above.
    focusHeading(TITLE)
  }
  const dialog = { cooling, withCode, onClose: close, onDone: done }
  const add =
    query.data === undefined || why !== null || isFull ? null : (
      <Button
        size="small"
        className="security-others"
        icon={<IconPlus size={16} stroke={1.7} />}
        onClick={() => setAsking({ what: 'add' })}
      >
        {t('passkeys.add')}
      </Button>
    )
  const hold = (
    <div className="card-pad" aria-busy="true">
      <Skeleton width="100%" height={40} />
    </div>
  )
  return (
    <SecurityListCard
      id={TITLE}
      icon={IconFingerprint}
      title={t('passkeys.title')}
      action={add}
      text={t('passkeys.text')}
      note={isFull ? t('passkeys.full', { count: query.data?.most ?? 0 }) : null}
    >
      {why === null ? null : (
        <div className="passkeys-why">
          <Notice kind="wait">{t(`passkeys.why.${why}`, { url: query.data?.origin ?? '' })}</Notice>
        </div>
      )}
      <Loaded query={query} hold={hold} holdAgain>
        {(passkeys) => <PasskeyList passkeys={passkeys} mover={mover} onAsk={setAsking} />}
      </Loaded>
      {asking?.what === 'add' ? <AddPasskey {...dialog} /> : null}
      {asking?.what === 'rename' ? <RenamePasskey passkey={asking.passkey} onClose={close} /> : null}
      {asking?.what !== 'remove' ? null : asking.passkey.id === mover ? (
        <KeepPasskey passkey={asking.passkey} onClose={close} />
      ) : (
        <RemovePasskey {...dialog} passkey={asking.passkey} />
      )}
    </SecurityListCard>
  )
}

interface PasskeyListProps {
  passkeys: Passkeys
  /** The one that alone moves the money. */
  mover: string | null
  onAsk: (choice: Choice) => void
}

function PasskeyList({ passkeys: { results }, mover, onAsk }: PasskeyListProps) {
  const { t } = useTranslation('identity/security')
  const columns: Column<PasskeyItem>[] = [
    column(t('passkeys.name'), ({ id, name }) => (
      <>
        <bdi className="passkeys-name" translate="no">
          {name}
        </bdi>
        {id === mover ? <span className="badge badge-ok passkeys-mover">{t('passkeys.mover')}</span> : null}
      </>
    )),
    column(t('passkeys.made'), ({ made_at }) => <When at={made_at} />),
    column(t('passkeys.used'), ({ used_at }) =>
      used_at === null ? <span className="muted">{t('passkeys.never')}</span> : <When at={used_at} />,
    ),
    figureColumn(t('sessions.action'), (passkey) => (
      <span className="row-8 passkeys-actions">
        <Button
          size="small"
          aria-label={t('passkeys.renameNamed', { name: passkey.name })}
          onClick={() => onAsk({ what: 'rename', passkey })}
        >
          {t('passkeys.rename')}
        </Button>
        <Button
          size="small"
          aria-label={t('passkeys.removeNamed', { name: passkey.name })}
          onClick={() => onAsk({ what: 'remove', passkey })}
        >
          {t('passkeys.remove')}
        </Button>
      </span>
    )),
  ]
  if (results.length === 0) return <EmptyState icon={IconFingerprint} text={t('passkeys.empty')} />
  return <DataTable caption={t('passkeys.title')} columns={columns} rows={results} rowKey={({ id }) => id} />
}
