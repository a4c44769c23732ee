import { type FocusEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { language } from '../../api/language.ts'
import './dateField.css'
import { FieldFrame } from '../Field.tsx'
import { IconCalendar } from '../icons.ts'
import { lazyPart } from '../lazyPart.ts'
import { Overlay } from '../Overlay.tsx'
import { readDay, writeDay } from './typedDay.ts'

const Calendar = lazyPart(async () => ({ default: (await import('./DatePopup.tsx')).DatePopup }))

export interface DateFieldProps {
  label: string
  /** "2026-11-20", or nothing. */
  value: string
  /** The day, or nothing; `typed` tells an empty field from a text that is no day, or not yet one. */
  onChange: (day: string, typed: string) => void
  onBlur?: () => void
  name?: string
  error?: string | undefined
  hint?: ReactNode
  required?: boolean
  /** The first and the last day that the calendar offers. */
  min?: string | undefined
  max?: string | undefined
  /** The field that has the focus when a dialog opens. */
  autofocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** The text in the field: what is typed stays until the day becomes another. */
function useTyped(value: string) {
  const [typed, setTyped] = useState(() => writeDay(value, language))
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    if (value !== (readDay(typed, language) ?? '')) setTyped(writeDay(value, language))
  }
  return [typed, setTyped] as const
}

/** What is in the field, what it gives, and whether it has to be said how a day is written. */
function useDay({ value, onChange, onBlur }: Pick<DateFieldProps, 'value' | 'onChange' | 'onBlur'>) {
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useTyped(value)
  const [left, setLeft] = useState(false)
  const day = readDay(typed, language)
  return {
    box,
    typed,
    day,
    isUnread: left && typed.trim() !== '' && day === null,
    take: (text: string) => {
      setTyped(text)
      onChange(readDay(text, language) ?? '', text)
    },
    enter: () => setLeft(false),
    leave: (event: FocusEvent) => {
      if (box.current?.contains(event.relatedTarget)) return
      setLeft(true)
      if (day !== null) setTyped(writeDay(day, language))
      onBlur?.()
    },
  }
}

/** A day, typed the way the language writes it or picked from a calendar, which is fetched when it is reached. */
export function DateField(props: DateFieldProps) {
  const { label, name, error, hint, required, min, max, autofocus, ref } = props
  const { t } = useTranslation('ui')
  const id = useId()
  const [open, setOpen] = useState(false)
  const { box, typed, day, isUnread, take, enter, leave } = useDay(props)
  const close = () => setOpen(false)
  const pick = (picked: string) => {
    take(writeDay(picked, language))
    close()
  }
  return (
    <FieldFrame label={label} error={isUnread ? t('date.unread') : error} hint={hint}>
      {(described) => (
        <div className="date-box" ref={box}>
          <input
            {...described}
            ref={ref}
            name={name}
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            placeholder={t('date.form')}
            required={required}
            {...(autofocus === true ? { 'data-autofocus': true } : {})}
            value={typed}
            onFocus={enter}
            onBlur={leave}
            onChange={(event) => take(event.target.value)}
          />
          <button
            type="button"
            className="field-action centred"
            aria-haspopup="dialog"
            aria-expanded={open}
            aria-label={t('date.open')}
            aria-controls={open ? id : undefined}
            onPointerEnter={Calendar.prefetch}
            onFocus={Calendar.prefetch}
            onBlur={leave}
            onClick={() => setOpen(!open)}
          >
            <IconCalendar size={18} stroke={1.6} aria-hidden="true" />
          </button>
          {open ? (
            <Overlay onClose={close}>
              <Calendar id={id} box={box} day={day} min={min} max={max} onDay={pick} onClose={close} />
            </Overlay>
          ) : null}
        </div>
      )}
    </FieldFrame>
  )
}
