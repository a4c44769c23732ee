import { useTranslation } from 'react-i18next'
import type { ThemeSettings } from '../../../ui/theme.ts'
import type { Choice } from '../choices.ts'
import { ChoiceDrawing } from './ChoiceDrawing.tsx'

interface ChoiceFieldProps {
  choice: Choice
  settings: ThemeSettings
  onChange: (settings: ThemeSettings) => void
}

/** One setting: radio buttons for keyboard and screen reader, a small drawing of each option for the eye. */
export function ChoiceField({ choice, settings, onChange }: ChoiceFieldProps) {
  const { t } = useTranslation('appearance')
  const { name, options } = choice
  const chosen = choice.read(settings)
  return (
    <fieldset className={name === 'color' ? 'choice choice-colors' : 'choice'}>
      <legend>{t(`group.${name}`)}</legend>
      <div className="choice-options">
        {options.map(({ value, text }) => (
          <label key={value} className="choice-option">
            <input
              type="radio"
              className="visually-hidden"
              name={`look-${name}`}
              value={value}
              checked={value === chosen}
              onChange={() => onChange(choice.write(settings, value))}
            />
            <span className="choice-drawing">
              <ChoiceDrawing name={name} value={value} />
            </span>
            <span className="choice-name">{t(text)}</span>
          </label>
        ))}
      </div>
      {name === 'sidenav' ? <p className="choice-note">{t('narrow')}</p> : null}
    </fieldset>
  )
}
