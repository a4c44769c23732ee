import { useWindowEvent } from '@mantine/hooks'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { FieldError } from '../../../../ui/Field.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconAlertTriangle, IconDownload, IconShieldCheck } from '../../../../ui/icons.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { Loaded, Skeleton } from '../../../../ui/States.tsx'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useLedTo } from '../../../../ui/useLedTo.ts'
import { RecoveryField, useRefusedField } from '../../codeFields.tsx'
import { APP_DIGITS, belongsToField, FEW_CODES, recoveryText } from '../../codes.ts'
import { FormDialog } from '../../FormDialog.tsx'
import { focusHeading, SecurityCard } from '../../SecurityCard.tsx'
import { useRenewRecoveryCodesMutation, useTurnOffTwoFactorMutation, useTwoFactorQuery } from '../api.ts'
import { TwoFactorOff, type TwoFactorStateProps } from './TwoFactorOff.tsx'

const TITLE = 'two-factor'

/** Two-factor in its states: off, being set up, on, and the moment in which new recovery codes are shown. */
export function TwoFactorCard({ username, cooling }: { username: string; cooling: string }) {
  const { t } = useTranslation('identity/security')
  const query = useTwoFactorQuery()
  const { data } = query
  const [codes, setCodes] = useState<string[] | null>(null)
  useLedTo(TITLE)

  const stored = () => {
    setCodes(null)
    focusHeading(TITLE)
  }
  const isOn = codes !== null || data?.on === true
  const badge =
    data === undefined ? null : (
      <span className={isOn ? 'badge badge-ok' : 'badge'}>{t(isOn ? 'twoFactor.on' : 'twoFactor.off')}</span>
    )
  const hold = (
    <div className="stack-16 security-form" aria-busy="true">
      <Skeleton width="100%" height={40} />
      <Skeleton width={190} height={40} />
    </div>
  )
  return (
    <SecurityCard id={TITLE} icon={IconShieldCheck} title={t('twoFactor.title')} action={badge}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} username={username} onStored={stored} />
      ) : (
        <Loaded query={query} hold={hold} holdAgain>
          {(state) => {
            const State = state.on ? TwoFactorOn : TwoFactorOff
            return <State state={state} cooling={cooling} onCodes={setCodes} />
          }}
        </Loaded>
      )}
    </SecurityCard>
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
  useWindowEvent('beforeunload', (event) => event.preventDefault())

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (stored) return onStored()
    setError(t('recovery.notStored'))
    box.current?.focus()
  }
  return (
    <form className="stack-16 security-form" noValidate onSubmit={onSubmit}>
      <h3 ref={title} tabIndex={-1} className="h2">
        {t('recovery.title')}
      </h3>
      <p className="muted">{t('recovery.text')}</p>
      <ul className="panel security-codes" translate="no" aria-label={t('recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row-16 security-actions">
        <CopyButton text={text} label={t('recovery.copy')} confirmation={t('recovery.copied')} size="small" />
        <Button
          size="small"
          icon={<IconDownload size={17} stroke={1.6} />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), t('recovery.fileName'))}
        >
          {t('recovery.download')}
        </Button>
      </div>
      <div className="stack-8">
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
      <div className="row-16 security-actions">
        <Button type="submit" kind="primary">
          {t('recovery.done')}
        </Button>
      </div>
    </form>
  )
}

function TwoFactorOn({ state, cooling, onCodes }: TwoFactorStateProps) {
  const { t } = useTranslation('identity/security')
  const [asking, setAsking] = useState<'renew' | 'off' | null>(null)
  const left = state.recovery_codes_left
  const [renew] = useRenewRecoveryCodesMutation()
  const [turnOff] = useTurnOffTwoFactorMutation()
  const close = () => setAsking(null)
  const sendRenewal = async (code: string): Promise<Failure | null> => {
    const answer = await renew(code)
    if (answer.error !== undefined) return answer.error as Failure
    close()
    onCodes(answer.data.recovery_codes)
    return null
  }
  const sendTurnOff = async (code: string): Promise<Failure | null> => {
    const answer = await turnOff(code)
    if (answer.error !== undefined) return answer.error as Failure
    close()
    toast.success(answer.data.message)
    focusHeading(TITLE)
    return null
  }
  return (
    <div className="stack-16 security-form">
      <p className="muted">{t('twoFactor.onText')}</p>
      <dl className="panel facts stack-8 security-facts">
        <Fact name={t('twoFactor.since')}>{state.since === null ? '–' : formats.date(state.since)}</Fact>
        <Fact name={t('twoFactor.codesLeft')}>{formats.count(left)}</Fact>
      </dl>
      {left > FEW_CODES ? null : (
        <Notice kind="wait" icon={IconAlertTriangle}>
          {t(left === 0 ? 'twoFactor.none' : 'twoFactor.few')}
        </Notice>
      )}
      <div className="row-16 security-actions">
        <Button onClick={() => setAsking('renew')}>{t('renew.button')}</Button>
        {state.obligatory ? (
          <p className="muted small">{t('twoFactor.obligatoryOn')}</p>
        ) : (
          <Button kind="danger" onClick={() => setAsking('off')}>
            {t('turnOff.button')}
          </Button>
        )}
      </div>
      {asking === 'renew' ? (
        <SecondFactorDialog
          title={t('renew.title')}
          text={t('renew.text')}
          action={t('renew.confirm')}
          onSend={sendRenewal}
          onClose={close}
        />
      ) : null}
      {asking === 'off' ? (
        <SecondFactorDialog
          danger
          recovery
          title={t('turnOff.title')}
          text={`${t('turnOff.text')} ${cooling}`.trim()}
          action={t('turnOff.confirm')}
          onSend={sendTurnOff}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

interface SecondFactorDialogProps {
  title: string
  text: string
  action: string
  danger?: boolean
  /** Whether a recovery code will do. */
  recovery?: boolean
  onSend: (code: string) => Promise<Failure | null>
  onClose: () => void
}

function useCode(onSend: SecondFactorDialogProps['onSend']) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [isRecovery, setIsRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const { field, error, refuse, clear } = useRefusedField()

  const submit = async () => {
    if (busy) return
    if (isRecovery && code.trim() === '') return refuse(t('code.recoveryMissing'))
    if (!isRecovery && code.length !== APP_DIGITS) return refuse(t('code.missing'))
    setBusy(true)
    const failure = await onSend(code.trim())
    if (failure === null) return
    setBusy(false)
    if (belongsToField(failure)) refuse(sayFailure(failure))
    else toast.error(sayFailure(failure))
  }
  const type = (typed: string) => {
    setCode(typed)
    clear()
  }
  const turn = () => {
    setIsRecovery(!isRecovery)
    type('')
  }
  return { isRecovery, code, error, busy, field, submit, type, turn }
}

/** Asks for a code before something that only the phone's owner may do. Nothing is sent before the button is pressed. */
function SecondFactorDialog(props: SecondFactorDialogProps) {
  const { title, text, action, danger = false, recovery = false, onSend, onClose } = props
  const { t } = useTranslation('identity/security')
  const { isRecovery, code, error, busy, field, submit, type, turn } = useCode(onSend)
  const shown = { ref: field, value: code, error }
  return (
    <FormDialog
      title={title}
      text={text}
      action={action}
      danger={danger}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {isRecovery ? (
        <RecoveryField key="recovery" {...shown} label={t('code.recovery')} onType={type} />
      ) : (
        <CodeField
          key="code"
          {...shown}
          data-autofocus
          label={t('code.label')}
          digits={APP_DIGITS}
          onChange={type}
        />
      )}
      {recovery ? (
        <button type="button" className="link-button security-turn" onClick={turn}>
          {t(isRecovery ? 'code.useApp' : 'code.useRecovery')}
        </button>
      ) : null}
    </FormDialog>
  )
}
