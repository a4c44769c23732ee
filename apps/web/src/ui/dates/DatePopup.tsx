import { Popover as Kit } from '@base-ui/react/popover'
import type { RefObject } from 'react'
import { DayPicker, type Matcher } from 'react-day-picker'
import { enUS } from 'react-day-picker/locale/en-US'
import { es } from 'react-day-picker/locale/es'
import { useTranslation } from 'react-i18next'
import 'react-day-picker/style.css'
import { language } from '../../api/language.ts'
import './datePopup.css'
import { dayOf } from '../days.ts'

interface DatePopupProps {
  id: string
  /** The field; the calendar hangs below it, and gives the focus back to it. */
  box: RefObject<HTMLDivElement | null>
  day: string | null
  min: string | undefined
  max: string | undefined
  onDay: (day: string) => void
  onClose: () => void
}

/** A day of the calendar at noon of the browser's own day: no change of clocks moves it. */
function noonOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

const FIRST = '2020-01-01'

export function DatePopup({ id, box, day, min, max, onDay, onClose }: DatePopupProps) {
  const { t } = useTranslation('ui')
  const first = noonOf(min ?? FIRST)
  const last = max === undefined ? new Date(new Date().getFullYear() + 5, 11, 31, 12) : noonOf(max)
  const outside: Matcher[] = [{ before: first }, { after: last }]
  const chosen = day === null ? undefined : noonOf(day)
  return (
    <Kit.Root
      open
      onOpenChange={(_open, { event }) => {
        // A press on the field's own button closes it by itself.
        if (!(event.target instanceof Node) || !box.current?.contains(event.target)) onClose()
        else if (event instanceof KeyboardEvent) onClose()
      }}
    >
      <Kit.Portal>
        <Kit.Positioner className="date-layer" anchor={box} align="start" sideOffset={6} collisionPadding={8}>
          <Kit.Popup
            id={id}
            className="date-panel"
            aria-label={t('date.calendar')}
            initialFocus={false}
            finalFocus={() => box.current?.querySelector('input') ?? true}
          >
            <DayPicker
              mode="single"
              autoFocus
              locale={language === 'es' ? es : enUS}
              captionLayout="dropdown"
              startMonth={first}
              endMonth={last}
              disabled={outside}
              selected={chosen}
              defaultMonth={chosen ?? (new Date() > last ? last : new Date())}
              onDayClick={(date) => onDay(dayOf(date))}
            />
          </Kit.Popup>
        </Kit.Positioner>
      </Kit.Portal>
    </Kit.Root>
  )
}
