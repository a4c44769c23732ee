import type { TwoFactor } from '@aval/contract'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { IconAlertTriangle } from '../../../../ui/icons.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { QrCode } from '../../../../ui/QrCode.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { useRefusedField } from '../../codeFields.tsx'
import { APP_DIGITS, belongsToField } from '../../codes.ts'
import { FormDialog } from '../../FormDialog.tsx'
import { ProofFields } from '../../passkeys/components/ProofFields.tsx'
import { useProof } from '../../passkeys/useProof.ts'
import { type Secret, useConfirmTwoFactorMutation, useSetUpTwoFactorMutation } from '../api.ts'

export interface TwoFactorStateProps {
  state: TwoFactor
  cooling: string
  /** Recovery codes were made; they are shown only now. */
  onCodes: (codes: string[]) => void
}

export function TwoFactorOff({ state, cooling, onCodes }: TwoFactorStateProps) {
  const { t } = useTranslation('identity/security')
  const [isAsking, setIsAsking] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  if (secret !== null)
    return <SetUp secret={secret} cooling={cooling} onCodes={onCodes} onCancel={() => setSecret(null)} />
  return (
    <div className="stack-16 security-form">
      {state.obligatory ? (
        <Notice kind="wait" icon={IconAlertTriangle}>
          {t('twoFactor.obligatoryOff')}
        </Notice>
      ) : null}
      <p className="muted">{t('twoFactor.why')}</p>
      <ol className="stack-8 security-steps">
        {(['app', 'scan', 'keep'] as const).map((step) => (
          <li key={step}>{t(`twoFactor.step.${step}`)}</li>
        ))}
      </ol>
      <div className="row-16 security-actions">
        <Button kind="primary" onClick={() => setIsAsking(true)}>
          {t('twoFactor.turnOn')}
        </Button>
      </div>
      {isAsking ? (
        <AskPassword
          onSecret={(made) => {
            setIsAsking(false)
            setSecret(made)
          }}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  )
}

/** The password, before the phone of whoever sits here becomes the second factor. */
function AskPassword({ onSecret, onClose }: { onSecret: (secret: Secret) => void; onClose: () => void }) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [setUp, { isLoading: busy }] = useSetUpTwoFactorMutation()
  const [problem, setProblem] = useState<string | null>(null)
  const proof = useProof(false)
  const begin = useSingleFlight(async () => {
    setProblem(null)
    const typed = proof.read()
    if (typed === null) return
    const answer = await setUp(typed)
    if (answer.error === undefined) return onSecret(answer.data)
    const failure = answer.error as Failure
    if (!proof.refused(failure)) setProblem(sayFailure(failure))
  })
  return (
    <FormDialog
      title={t('setUp.proofTitle')}
      text={t('setUp.proofText')}
      problem={{ kind: 'wait', text: problem }}
      action={t('setUp.proofAction')}
      busy={busy}
      onSubmit={() => void begin()}
      onClose={onClose}
    >
      <ProofFields proof={proof} />
    </FormDialog>
  )
}

function useConfirmation(onCodes: TwoFactorStateProps['onCodes']) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [send, { isLoading: busy }] = useConfirmTwoFactorMutation()
  const { field, error, refuse, clear } = useRefusedField()
  const confirm = useSingleFlight(async (code: string) => {
    if (code.length !== APP_DIGITS) return refuse(t('code.missing'))
    clear()
    const answer = await send(code)
    if (answer.error === undefined) return onCodes(answer.data.recovery_codes)
    const failure = answer.error as Failure
    if (belongsToField(failure)) refuse(sayFailure(failure))
    else toast.error(sayFailure(failure))
  })
  return { field, busy, error, confirm, clear }
}

interface SetUpProps {
  secret: Secret
  cooling: string
  onCodes: TwoFactorStateProps['onCodes']
  onCancel: () => void
}

function SetUp({ secret, cooling, onCodes, onCancel }: SetUpProps) {
  const { t } = useTranslation('identity/security')
  const { field, busy, error, confirm, clear } = useConfirmation(onCodes)
  // Nobody scans the screen that is in their hand.
  const isOnPhone = useMediaQuery('(pointer: coarse)')
  const [code, setCode] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void confirm(code)
  }
  return (
    <form className="stack-16 security-form" noValidate onSubmit={onSubmit}>
      {isOnPhone ? (
        <a href={secret.uri} className="button button-secondary button-wide">
          {t('setUp.open')}
        </a>
      ) : null}
      <p>{t(isOnPhone ? 'setUp.scanElsewhere' : 'setUp.scan')}</p>
      <div className="row-16 security-secret">
        <QrCode value={secret.uri} size={160} label={t('setUp.qr')} />
        <div className="stack-8 security-key">
          <p className="muted small">{t('setUp.orType')}</p>
          <Address value={secret.secret} />
          <CopyButton
            text={secret.secret}
            label={t('setUp.copy')}
            confirmation={t('setUp.copied')}
            size="small"
          />
        </div>
      </div>
      <CodeField
        ref={field}
        label={t('setUp.code')}
        name="code"
        digits={APP_DIGITS}
        value={code}
        autoFocus
        onChange={(typed) => {
          setCode(typed)
          clear()
        }}
        onComplete={(typed) => void confirm(typed)}
        error={error}
      />
      <p className="muted small">{`${t('setUp.consequence')} ${cooling}`}</p>
      <div className="row-16 security-actions">
        <Button type="submit" kind="primary" busy={busy}>
          {t('setUp.confirm')}
        </Button>
        <Button kind="quiet" disabled={busy} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
