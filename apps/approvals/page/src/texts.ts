/** The page's texts and figures in two languages. */
import { createContext, useContext } from 'react'
import type { Unit } from './decisions.rules.ts'
import en from './locales/en.json'
import es from './locales/es.json'

export type Language = 'es' | 'en'
type Name = keyof typeof es
/** Without the endings of one and many. */
type Base<Text> = Text extends `${infer Start}_one` | `${infer Start}_other` ? Start : Text
export type Key = Base<Name>

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { es, en }

/** Figures as the product writes them: as in the country of the browser's Spanish, `1.005,00` where it says none; dates with the month's name. */
const numbersIn = (language: Language, tags: readonly string[]): string =>
  language === 'en' ? 'en-US' : (tags.find((tag) => /^es-[a-z]{2}$/i.test(tag)) ?? 'es-CO')
const DATES: Readonly<Record<Language, string>> = { es: 'es-419', en: 'en-US' }

/** Up to here in hours: who promised 72 reads 95. */
const LONGEST_IN_HOURS = 120

const unit = (name: string): Intl.NumberFormatOptions => ({
  style: 'unit',
  unit: name,
  unitDisplay: 'long',
  maximumFractionDigits: 6,
})
/** The mark a figure has beside it, as in the rest of the product: `$1.000,00`, `9 %`, `× 2`. */
const MARKS: Readonly<Record<Exclude<Unit, 'toggle'>, (written: string, language: Language) => string>> = {
  amount: (written) => `$${written}`,
  percent: (written, language) => `${written}${language === 'es' ? '\u00a0' : ''}%`,
  multiple: (written) => `× ${written}`,
  days: (written) => written,
  minutes: (written) => written,
}
const STYLES: Readonly<Record<Exclude<Unit, 'toggle'>, Intl.NumberFormatOptions>> = {
  amount: { minimumFractionDigits: 2, maximumFractionDigits: 6, useGrouping: 'always' },
  percent: { maximumFractionDigits: 6 },
  multiple: { maximumFractionDigits: 6 },
  days: unit('day'),
  minutes: unit('minute'),
}

export type Texts = ReturnType<typeof textsIn>

/** @param tags the languages of the browser */
export function textsIn(language: Language, tags: readonly string[] = []) {
  const texts = TEXTS[language]
  const [numbers, dates] = [numbersIn(language, tags), DATES[language]]
  const plural = new Intl.PluralRules(language)
  const stamp = new Intl.DateTimeFormat(dates, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const amount = new Intl.NumberFormat(numbers, STYLES.amount)
  const whole = new Intl.NumberFormat(numbers)
  const day = new Intl.DateTimeFormat(dates, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const say = (key: Key, values: Readonly<Record<string, string | number>> = {}): string => {
    const { count } = values
    const ending = typeof count === 'number' ? (plural.select(count) === 'one' ? '_one' : '_other') : ''
    const text = texts[key + ending] ?? texts[key] ?? key
    return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
      const value = values[name] ?? ''
      return typeof value === 'number' ? whole.format(value) : value
    })
  }
  return {
    language,
    say,
    /** The sentence for a stable name; the name itself where there is none. */
    sayCode: (code: string): string => texts[`refusal.${code}`] ?? say('refusal.other', { code }),
    /** The text of a name within a group; the name itself where there is none. */
    sayIn: (group: string, name: string, values: Readonly<Record<string, string>> = {}): string =>
      texts[`${group}.${name}`] === undefined ? name : say(`${group}.${name}` as Key, values),
    sayRisk: (risk: string): string => texts[`risk.${risk}`] ?? risk,
    /** `1.000,00` in Spanish, `1,000.00` in English, of micro-USDT; never rounded */
    usdt: (micro: bigint): string => {
      const [units, part] = [micro / 1_000_000n, String(micro % 1_000_000n).padStart(6, '0')]
      return amount.format(`${units}.${part}` as Intl.StringNumericLiteral)
    },
    count: (value: number): string => whole.format(value),
    /** `40 min`, `23 h`, `6 d` */
    lasting: (ms: number): string => {
      const minutes = Math.floor(Math.abs(ms) / 60_000)
      const [unit, value] =
        minutes < 60
          ? ['minute', minutes]
          : minutes < LONGEST_IN_HOURS * 60
            ? ['hour', minutes / 60]
            : ['day', minutes / 1440]
      return new Intl.NumberFormat(numbers, { style: 'unit', unit }).format(Math.floor(value))
    },
    stamp: (iso: string): string => stamp.format(new Date(iso)),
    /** A day of the calendar, as `2027-01-31`; anything else as it is. */
    day: (text: string): string => {
      const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
      return Number.isNaN(at) ? text : day.format(at)
    },
    /** A plan's setting with its unit. What is not written as such a setting is shown as it is. */
    setting: (unit: Unit | null, text: string): string => {
      if (unit === 'toggle' && /^(true|false)$/.test(text)) return say(text === 'true' ? 'yes' : 'no')
      if (unit === 'multiple' && text === 'null') return say('noCap')
      if (unit === null || unit === 'toggle' || !/^\d{1,15}(\.\d{1,6})?$/.test(text)) return text
      const written = new Intl.NumberFormat(numbers, STYLES[unit]).format(text as Intl.StringNumericLiteral)
      return MARKS[unit](written, language)
    },
  }
}

export const TextsContext = createContext<Texts>(textsIn('es'))
export const useTexts = (): Texts => useContext(TextsContext)
