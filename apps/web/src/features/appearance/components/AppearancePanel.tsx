import { useFocusTrap, useMergedRef } from '@mantine/hooks'
import { useEffect, useId, useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { IconRefresh, IconX } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import type { ThemeSettings } from '../../../ui/theme.ts'
import { type Choice, choicesFor } from '../choices.ts'
import './drawings.css'
import './appearance.css'
import { ChoiceDrawing } from './ChoiceDrawing.tsx'

interface AppearancePanelProps {
  settings: ThemeSettings
  /** It was opened just now, so the focus moves into it. */
  takesFocus: boolean
  onChange: (settings: ThemeSettings) => void
  onReset: () => void
  onClose: () => void
}

/** The look, chosen by pictures. It covers only the side of the window: the page beside it shows each choice at once. */
export function AppearancePanel({ settings, takesFocus, onChange, onReset, onClose }: AppearancePanelProps) {
  const { t } = useTranslation(['appearance', 'ui'])
  const id = useId()
  const box = useRef<HTMLElement | null>(null)
  const ref = useMergedRef(box, useFocusTrap(takesFocus))

  // The page stays usable, so Escape has to work from there too; but not where something else takes it.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const { activeElement } = document
      const isElsewhere = activeElement?.closest('[role="dialog"], [role="menu"], .sidebar') ?? null
      if (isElsewhere === null || isElsewhere === box.current) onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])

  const reset = () => {
    onReset()
    toast.success(t('appearance:resetDone'), { id: 'look-reset' })
  }
  return (
    <section
      ref={ref}
      className="settings-panel"
      role="dialog"
      aria-labelledby={id}
      aria-describedby={`${id}-sub`}
      tabIndex={-1}
    >
      <div className="card-head settings-head">
        <div>
          <h2 id={id}>{t('appearance:title')}</h2>
          <p id={`${id}-sub`} className="muted small">
            {t('appearance:subtitle')}
          </p>
        </div>
        <IconButton Icon={IconX} label={t('ui:close')} onClick={onClose} />
      </div>
      <div className="settings-body">
        {choicesFor(settings).map((choice) => (
          <ChoiceField key={choice.name} choice={choice} settings={settings} onChange={onChange} />
        ))}
      </div>
      <div className="settings-foot">
        <Button icon={<IconRefresh size={17} stroke={1.7} aria-hidden="true" />} onClick={reset}>
          {t('appearance:reset')}
        </Button>
        {/* Nothing is for sale here: it leads where an investment would begin, and changes nothing by itself. */}
        <Link to="/dashboard" className="button button-quiet" onClick={onClose}>
          {t('appearance:buyNow')}
        </Link>
      </div>
    </section>
  )
}

interface ChoiceFieldProps {
  choice: Choice
  settings: ThemeSettings
  onChange: (settings: ThemeSettings) => void
}

/** One setting: radio buttons for keyboard and screen reader, a small drawing of each option for the eye. */
function ChoiceField({ choice, settings, onChange }: ChoiceFieldProps) {
  const { t } = useTranslation('appearance')
  const { name, options } = choice
  const chosen = choice.read(settings)
  return (
    <fieldset className={name === 'color' ? 'choice choice-colors' : 'choice'}>
      <legend className="small">{t(`group.${name}`)}</legend>
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
            <span className="choice-name muted tiny">{t(text)}</span>
          </label>
        ))}
      </div>
      {name === 'sidenav' ? <p className="choice-note muted tiny">{t('narrow')}</p> : null}
    </fieldset>
  )
}
