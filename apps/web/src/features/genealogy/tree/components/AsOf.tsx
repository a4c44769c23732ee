import { useId } from 'react'
import { useTranslation } from 'react-i18next'

interface AsOfProps {
  readonly day: string | null
  readonly onChange: (day: string | null) => void
}

const DAY = /^2\d{3}-\d\d-\d\d$/

/** The network as it was at the end of a day. */
export function AsOf({ day, onChange }: AsOfProps) {
  const { t } = useTranslation('genealogy/tree')
  const id = useId()
  return (
    <div className="tree-as-of">
      <label htmlFor={id} className="muted small">
        {t('asOf.label')}
      </label>
      <input
        // What is being typed stays; another day from the address replaces it.
        key={day}
        id={id}
        type="date"
        className="tree-date"
        defaultValue={day ?? ''}
        max={new Date().toISOString().slice(0, 10)}
        min="2000-01-01"
        onChange={(event) => {
          const { value, validity } = event.target
          if (value === '' && !validity.badInput) onChange(null)
          else if (DAY.test(value) && validity.valid) onChange(value)
        }}
      />
      {day === null ? null : (
        <button type="button" className="link-button small" onClick={() => onChange(null)}>
          {t('asOf.today')}
        </button>
      )}
    </div>
  )
}
