import type { TwoFactor } from '@aval/contract'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconAlertTriangle } from '../../../../ui/icons.ts'
import { useRenewRecoveryCodesMutation, useTurnOffTwoFactorMutation } from '../api.ts'
import { FEW_CODES } from '../codes.ts'
import { SecondFactorDialog } from './SecondFactorDialog.tsx'

interface TwoFactorOnProps {
  state: TwoFactor
  cooling: string
  onCodes: (codes: string[]) => void
}

export function TwoFactorOn({ state, cooling, onCodes }: TwoFactorOnProps) {
  const { t } = useTranslation('identity/security')
  const [asking, setAsking] = useState<'renew' | 'off' | null>(null)
  const left = state.recovery_codes_left
  return (
    <div className="security-form">
      <p className="muted">{t('twoFactor.onText')}</p>
      <dl className="security-facts">
        <div>
          <dt>{t('twoFactor.since')}</dt>
          <dd>{state.since === null ? '–' : formats.date(state.since)}</dd>
        </div>
        <div>
          <dt>{t('twoFactor.codesLeft')}</dt>
          <dd>{formats.count(left)}</dd>
        </div>
      </dl>
      {left > FEW_CODES ? null : (
        <p className="notice notice-wait">
          <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
          <span>{t(left === 0 ? 'twoFactor.none' : 'twoFactor.few')}</span>
        </p>
      )}
      <div className="security-actions">
        <Button onClick={() => setAsking('renew')}>{t('renew.button')}</Button>
        {state.obligatory ? (
          <p className="muted small">{t('twoFactor.obligatoryOn')}</p>
        ) : (
          <Button kind="danger" onClick={() => setAsking('off')}>
            {t('turnOff.button')}
          </Button>
        )}
      </div>
      {asking === 'renew' ? <RenewDialog onCodes={onCodes} onClose={() => setAsking(null)} /> : null}
      {asking === 'off' ? <TurnOffDialog cooling={cooling} onClose={() => setAsking(null)} /> : null}
    </div>
  )
}

function RenewDialog({ onCodes, onClose }: { onCodes: (codes: string[]) => void; onClose: () => void }) {
  const { t } = useTranslation('identity/security')
  const [renew] = useRenewRecoveryCodesMutation()
  const send = async (code: string): Promise<Failure | null> => {
    const answer = await renew(code)
    if (answer.error !== undefined) return answer.error as Failure
    onClose()
    onCodes(answer.data.recovery_codes)
    return null
  }
  return (
    <SecondFactorDialog
      title={t('renew.title')}
      text={t('renew.text')}
      action={t('renew.confirm')}
      onSend={send}
      onClose={onClose}
    />
  )
}

function TurnOffDialog({ cooling, onClose }: { cooling: string; onClose: () => void }) {
  const { t } = useTranslation('identity/security')
  const [turnOff] = useTurnOffTwoFactorMutation()
  const send = async (code: string): Promise<Failure | null> => {
    const answer = await turnOff(code)
    if (answer.error !== undefined) return answer.error as Failure
    onClose()
    toast.success(answer.data.message)
    document.getElementById('security-two-factor')?.focus()
    return null
  }
  return (
    <SecondFactorDialog
      danger
      recovery
      title={t('turnOff.title')}
      text={`${t('turnOff.text')} ${cooling}`.trim()}
      action={t('turnOff.confirm')}
      onSend={send}
      onClose={onClose}
    />
  )
}
