import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'

/** How a figure is computed, and as of when; opened by who wants to know. */
export function How({ asOf = null, children }: { asOf?: string | null; children: ReactNode }) {
  const { t } = useTranslation('console/today')
  return (
    <details className="how small muted">
      <summary>
        <span>{t('how')}</span>
        {asOf === null ? null : (
          <span className="faint">{` · ${t('asOf', { date: formats.shortStamp(asOf) })}`}</span>
        )}
      </summary>
      <p>{children}</p>
    </details>
  )
}
