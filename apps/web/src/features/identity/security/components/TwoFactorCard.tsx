import type { TwoFactor } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { IconShieldCheck } from '../../../../ui/icons.ts'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { useTwoFactorQuery } from '../api.ts'
import { CardTitle } from './CardTitle.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
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
