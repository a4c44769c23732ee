import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { IconCheck } from '../../../ui/icons.ts'
import { placeOf, type Section } from '../sections.ts'
import type { WithdrawalFormState } from '../useWithdrawalForm.ts'

interface FormSectionProps {
  section: Section
  /** From 1, as it is shown. */
  number: number
  /** What was entered, in a line, once it is done. */
  summary?: string | null
  whole: WithdrawalFormState
  children: ReactNode
}

/** Closed, it stays in the page: what was typed into it is never lost. One that is done opens again by its head. */
export function FormSection({ section, number, summary, whole, children }: FormSectionProps) {
  const { t } = useTranslation('withdrawals')
  const id = useId()
  const place = placeOf(section, whole.open)
  const title = (
    <>
      <span className="centred withdrawal-number" aria-hidden="true">
        {place === 'done' ? <IconCheck size={14} stroke={2.4} /> : number}
      </span>
      <span>{t(`sections.${section}`)}</span>
    </>
  )
  return (
    <div className="withdrawal-section" data-place={place}>
      <h2 aria-current={place === 'open' ? 'step' : undefined}>
        {place === 'done' ? (
          <button
            type="button"
            className="withdrawal-head"
            aria-expanded={false}
            aria-controls={id}
            onClick={() => whole.begin(section)}
          >
            {title}
            <span className="withdrawal-done small">
              <span>{summary}</span>
              <span className="muted"> · </span>
              <span className="withdrawal-edit">{t('sections.edit')}</span>
            </span>
          </button>
        ) : (
          <span className="withdrawal-head">{title}</span>
        )}
      </h2>
      <div id={id} className="stack-16 withdrawal-body" hidden={place !== 'open'}>
        {children}
      </div>
    </div>
  )
}
