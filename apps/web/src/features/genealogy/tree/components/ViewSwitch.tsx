import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { VIEWS, type View } from '../questions.ts'

/** Which of the two trees is drawn. */
export function ViewSwitch({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const { t } = useTranslation('genealogy/tree')
  const name = useId()
  return (
    <fieldset className="tree-switch">
      <legend className="visually-hidden">{t('view.label')}</legend>
      {VIEWS.map((option) => (
        <label key={option} data-chosen={option === view}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={option === view}
            onChange={() => onChange(option)}
          />
          {t(`view.${option}`)}
        </label>
      ))}
    </fieldset>
  )
}
