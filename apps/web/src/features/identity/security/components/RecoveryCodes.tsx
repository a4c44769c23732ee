import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { FieldError } from '../../../../ui/Field.tsx'
import { IconDownload } from '../../../../ui/icons.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { recoveryText } from '../codes.ts'

interface RecoveryCodesProps {
  codes: string[]
  username: string
  onStored: () => void
}

/** Shown this once, until the member says that they are stored; leaving the page before that asks first. */
export function RecoveryCodes({ codes, username, onStored }: RecoveryCodesProps) {
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
