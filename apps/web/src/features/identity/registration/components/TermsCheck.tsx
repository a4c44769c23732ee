import { useId, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldError } from '../../../../ui/Field.tsx'

const POINTS = ['nothingGuaranteed', 'backed', 'locked', 'network', 'data'] as const

interface TermsCheckProps {
  field: UseFormRegisterReturn<'terms'>
  error: string | undefined
}

export function TermsCheck({ field, error }: TermsCheckProps) {
  const { t } = useTranslation('identity')
  const [reading, setReading] = useState(false)
  const id = useId()
  return (
    <div className="terms">
      <div className="check">
        <input
          {...field}
          id={id}
          type="checkbox"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-note`}
        />
        <div>
          <label htmlFor={id}>{t('terms.accept')}</label>{' '}
          <button type="button" className="link-button" onClick={() => setReading(true)}>
            {t('terms.read')}
          </button>
          <p id={`${id}-note`} className="muted small">
            {t('terms.risk')}
          </p>
        </div>
      </div>
      <FieldError text={error} />
      {reading ? (
        <Dialog title={t('terms.title')} width={520} onClose={() => setReading(false)}>
          <div className="terms-body">
            {POINTS.map((point) => (
              <section key={point}>
                <h3>{t(`terms.${point}.title`)}</h3>
                <p>{t(`terms.${point}.text`)}</p>
              </section>
            ))}
            <Button onClick={() => setReading(false)}>{t('terms.understood')}</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}
