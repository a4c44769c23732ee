import type { Locale } from '@aval/contract'
import { dateTag, exactFigure, type Region, regionOr } from '@aval/contract/regions'
import { language } from '../api/language.ts'
import { region as regionNow } from '../api/region.ts'
import { timeZone } from '../api/timeZone.ts'

/** Makes a formatter when something is first written with it; most pages need few. */
function onDemand<Formatter>(make: (key: string) => Formatter): (key: string) => Formatter {
  const made = new Map<string, Formatter>()
  return (key) => {
    const format = made.get(key) ?? make(key)
    made.set(key, format)
    return format
  }
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const SHORT_DAY = { day: 'numeric', month: 'short' } as const
/** A day of the calendar is no instant: no time zone moves it. */
const CALENDAR = { timeZone: 'UTC' } as const

const percentSign = (locale: Locale) => (locale === 'es' ? '\u00a0%' : '%')

/**
 * Amounts arrive as decimal text, or as JSON numbers that were decimal text. Formatting goes through the text: a
 * double cut to two decimals would turn 33.33 into 33.32. What is cut is cut, never rounded up.
 */
function figuresFor(locale: Locale, region: () => Region) {
  const decimals = (least: number, most: number) => {
    const options = {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      roundingMode: 'trunc',
      useGrouping: 'always',
    } as const
    const format = onDemand((tag) => new Intl.NumberFormat(tag, options))
    return (value: string | number) => format(region()).format(String(value) as Intl.StringNumericLiteral)
  }
  const two = decimals(2, 2)
  const four = decimals(0, 4)
  const six = decimals(0, 6)
  const exactly = onDemand((tag) => exactFigure(tag as Region))
  const exact = (value: string | number) => exactly(region())(String(value))

  /** `$1.000,00` in Colombia, `$1,000.00` in Mexico */
  const money = (amount: string | number) => {
    const text = two(amount)
    return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`
  }
  const compact = ([0, 1] as const).map((digits) =>
    onDemand(
      (tag) =>
        new Intl.NumberFormat(tag, {
          notation: 'compact',
          maximumFractionDigits: digits,
          roundingMode: 'trunc',
        }),
    ),
  )
  return {
    money,
    /** `$283`, `$1,2 k`: where there is no room, and the whole one is a press away */
    briefMoney: (amount: string) => {
      const format = compact[/^\d{1,3}\./.test(amount) ? 0 : 1]
      return `$${format?.(region()).format(amount as Intl.StringNumericLiteral)}`
    },
    /** `+$33,33` */
    signed: (amount: string | number) =>
      String(amount).startsWith('-') ? money(amount) : `+${money(amount)}`,
    /** `1.000,00`: points, or any figure that is no money; cut to two decimals */
    points: (value: string | number) => two(value).replace('-', '−'),
    /** `1.005,00`, with up to six decimals where the amount has them, never three */
    exact,
    /** `0,3333 %` in Spanish, `0.3333%` in English, with the region's sign */
    percent: (value: string | number) => `${four(value)}${percentSign(locale)}`,
    /** The same with up to six decimals, where a plan or a rate is read to the last of them */
    exactPercent: (value: string | number) => `${six(value)}${percentSign(locale)}`,
    count: (value: number) => four(value),
    /** `0,3`, with up to six decimals: a percentage as it stands in a field */
    decimal: six,
    /** A computation with plain decimals, as the server proves it by: `1000.00 × 5 %` is `1,000.00 × 5%` in English. */
    arithmetic: (text: string) =>
      text
        .replaceAll(', ', '; ')
        .replaceAll(' %', percentSign(locale))
        .replace(/\d+(\.\d+)?/g, (figure, fraction?: string) =>
          fraction === undefined || fraction.length < 3 ? six(figure) : exact(figure),
        ),
  }
}

/** In the member's time zone, unless the options name one; region and zone may be others at the next call. */
function datesFor(locale: Locale, region: () => Region) {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = onDemand((key) => {
      const [tag, zone] = key.split(' ')
      return new Intl.DateTimeFormat(tag, { ...options, timeZone: zone })
    })
    return () => format(`${dateTag(region(), locale)} ${options.timeZone ?? timeZone()}`)
  }
  const long = dates({ dateStyle: 'long' })
  const medium = dates({ dateStyle: 'medium' })
  const stamp = dates({ ...SHORT_DAY, year: 'numeric', ...CLOCK })
  const clock = dates(CLOCK)
  const weekday = dates({ weekday: 'short', ...CALENDAR })
  const brief = dates({ ...SHORT_DAY, ...CLOCK })
  const day = dates({ ...SHORT_DAY, ...CALENDAR })
  const month = dates({ month: 'short', ...CALENDAR })
  const monthOfYear = dates({ month: 'long', year: 'numeric', ...CALENDAR })
  const fullDay = dates({ dateStyle: 'medium', ...CALENDAR })
  return {
    /** `9 de octubre de 2027` */
    longDate: (iso: string) => long().format(new Date(iso)),
    /** `20 nov 2026` */
    date: (iso: string) => medium().format(new Date(iso)),
    /** `20 nov 2026, 00:05` */
    dateTime: (iso: string) => stamp().format(new Date(iso)),
    /** `vie`, of a day of the calendar */
    weekday: (at: Date) => weekday().format(at),
    /** `00:05`, beside a date of its own */
    time: (iso: string) => clock().format(new Date(iso)),
    /** `20 nov, 00:05`, where the year goes without saying */
    shortStamp: (iso: string) => brief().format(new Date(iso)),
    /** `20 nov`, from an ISO date or from `MM-DD`. Any leap year will do: only the day and the month are shown. */
    shortDay: (text: string) =>
      day().format(new Date(/^\d\d-\d\d$/.test(text) ? `2024-${text}T00:00:00Z` : text)),
    /** `nov`, of the month 11 */
    shortMonth: (number: number) => month().format(new Date(Date.UTC(2024, number - 1))),
    /** `noviembre de 2026` */
    longMonth: (number: number, year: number) => monthOfYear().format(new Date(Date.UTC(year, number - 1))),
    /** `20 nov 2026`, from an ISO date: a day of the calendar, the same in every time zone */
    day: (text: string) => fullDay().format(new Date(`${text}T00:00:00Z`)),
  }
}

/** Every figure and date of the product, in a language, as in a region. */
export const formatsFor = (locale: Locale, region = () => regionOr(null, locale)) => ({
  ...figuresFor(locale, region),
  ...datesFor(locale, region),
})

export type Formats = ReturnType<typeof formatsFor>

/** In the interface's language, which lasts as long as the page, and the member's region. */
export const formats = formatsFor(language, regionNow)

/** An address in groups of four, so that a person can compare it with what the wallet shows. */
export const groupsOfFour = (address: string): { text: string; at: number }[] =>
  [...address.matchAll(/.{1,4}/gsu)].map(({ 0: text, index }) => ({ text, at: index }))

/** First and last characters of a hash, for tables where the whole one is a link away. */
export function shortHash(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 6)}…${hash.slice(-6)}`
}
