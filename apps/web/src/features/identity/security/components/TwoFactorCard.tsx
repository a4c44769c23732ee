import type { TwoFactor } from '@aval/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { FieldError } from '../../../../ui/Field.tsx'
import { IconDownload, IconShieldCheck } from '../../../../ui/icons.ts'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useTwoFactorQuery } from '../api.ts'
import { recoveryText } from '../codes.ts'
import { CardTitle } from './CardTitle.tsx'
import { TwoFactorOff } from './TwoFactorOff.tsx'
import { TwoFactorOn } from './TwoFactorOn.tsx'

const TITLE = 'security-two-factor'

/** Two-factor in its states: off, being set up, on, and the moment in which new recovery codes are shown. */
interface TwoFactorCardProps {
  username: string
  /** What a change does to money; empty for nothing. */
  cooling: string
}

export function TwoFactorCard({ username, cooling }: TwoFactorCardProps) {
  const { t } = useTranslation('identity/security')
  const { data, error, isFetching, refetch } = useTwoFactorQuery()
  const [codes, setCodes] = useState<string[] | null>(null)

  const stored = () => {
    setCodes(null)
    document.getElementById(TITLE)?.focus()
  }
  const isOn = codes !== null || data?.on === true
  return (
    <section className="card card-pad security-card" aria-labelledby={TITLE}>
      <CardTitle id={TITLE} icon={<IconShieldCheck size={20} stroke={1.6} />} text={t('twoFactor.title')}>
        {data === undefined ? null : (
          <span className={isOn ? 'badge badge-ok' : 'badge'}>
            {t(isOn ? 'twoFactor.on' : 'twoFactor.off')}
          </span>
        )}
      </CardTitle>
      {codes !== null ? (
        <RecoveryCodes codes={codes} username={username} onStored={stored} />
      ) : (
        <Body
          data={data}
          failure={isFetching ? undefined : (error as Failure | undefined)}
          cooling={cooling}
          onRetry={refetch}
          onCodes={setCodes}
        />
      )}
    </section>
  )
}

interface BodyProps {
  data: TwoFactor | undefined
  failure: Failure | undefined
  cooling: string
  onRetry: () => void
  onCodes: (codes: string[]) => void
}

function Body({ data, failure, cooling, onRetry, onCodes }: BodyProps) {
  if (failure !== undefined) return <ErrorState failure={failure} onRetry={onRetry} />
  if (data === undefined)
    return (
      <div className="security-form" aria-busy="true">
        <Skeleton width="100%" height={40} />
        <Skeleton width={190} height={40} />
      </div>
    )
  return data.on ? (
    <TwoFactorOn state={data} cooling={cooling} onCodes={onCodes} />
  ) : (
    <TwoFactorOff state={data} cooling={cooling} onCodes={onCodes} />
  )
}

interface RecoveryCodesProps {
  codes: string[]
  username: string
  onStored: () => void
}

/** Shown this once, until the member says that they are stored; leaving the page before that asks first. */
function RecoveryCodes({ codes, username, onStored }: RecoveryCodesProps) {
  const { t } = useTranslation('identity/security')
  const [stored, setStored] = useState(false)
  const [error, setError] = useState<string>()
  const title = useRef<HTMLHeadingElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const text = recoveryText(t('recovery.fileTitle', { username }), t('recovery.fileHint'), codes)

  useEffect(() => title.current?.focus(), [])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (stored) return onStored()
    setError(t('recovery.notStored'))
    box.current?.focus()
  }
  return (
    <form className="security-form" noValidate onSubmit={onSubmit}>
      <h3 ref={title} tabIndex={-1} className="security-sub">
        {t('recovery.title')}
      </h3>
      <p className="muted">{t('recovery.text')}</p>
      <ul className="security-codes" aria-label={t('recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="security-actions">
        <CopyButton text={text} label={t('recovery.copy')} confirmation={t('recovery.copied')} size="small" />
        <Button
          size="small"
          icon={<IconDownload size={17} stroke={1.6} />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), t('recovery.fileName'))}
        >
          {t('recovery.download')}
        </Button>
      </div>
      <div>
        <div className="check">
          <input
            ref={box}
            id={id}
            type="checkbox"
            checked={stored}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${id}-error`}
            onChange={(event) => {
              setStored(event.currentTarget.checked)
              setError(undefined)
            }}
          />
          <label htmlFor={id}>{t('recovery.stored')}</label>
        </div>
        <FieldError id={`${id}-error`} text={error} />
      </div>
      <div className="security-actions">
        <Button type="submit" kind="primary">
          {t('recovery.done')}
        </Button>
      </div>
    </form>
  )
}
