/** What every letter is made of, and the pen that writes in one language. */
import type { Locale } from '@aval/contract'
import type { Micro } from '@aval/money'
import { namesOfDevice } from '../../core/device-names.rules.ts'
import { REGION, sayAmount } from '../../core/messages.ts'
import { oneLine } from './mail.rules.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'

export type TextKey = keyof typeof es

export interface Fact {
  readonly label: string
  readonly value: string
}

/** A message before it is set as text and as HTML. Its parts stand in this order. */
export interface Letter {
  readonly subject: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Somebody's own words that this is about, line by line. */
  readonly quoted?: { readonly label: string; readonly lines: readonly string[] }
  readonly code: { readonly value: string; readonly label: string; readonly terms: string } | null
  readonly facts: readonly Fact[]
  readonly link: { readonly label: string; readonly url: string } | null
  /** What to do for whom the message surprises. */
  readonly notMe: {
    readonly question: string
    readonly text: string
    readonly link: { readonly label: string; readonly url: string } | null
  } | null
}

const TEXTS: Readonly<Record<Locale, Readonly<Record<TextKey, string>>>> = { es, en }
const LONGEST_VALUE = 300

export interface Pen {
  readonly locale: Locale
  /** @throws when the sentence mentions a parameter that was not given. */
  say(key: TextKey, params?: Readonly<Record<string, string>>): string
  amount(value: Micro): string
  /** With its time zone. */
  instant(at: Date): string
  /** Words of somebody else, on one line. */
  quote(text: string): string
  device(userAgent: string): string
}

/** @param timeZone in which times of day are told */
export function penOf(locale: Locale, timeZone: string): Pen {
  const clock = new Intl.DateTimeFormat(REGION[locale], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  const say: Pen['say'] = (key, params = {}) =>
    TEXTS[locale][key].replace(/\{([a-z]+)\}/g, (_, name: string) => {
      const value = params[name]
      if (value === undefined) throw new Error(`the sentence ${key} needs the parameter ${name}`)
      return value
    })
  return {
    locale,
    say,
    amount: (value) => sayAmount(locale, value),
    instant: (at) => clock.format(at),
    quote: (text) => oneLine(text, LONGEST_VALUE),
    device(userAgent) {
      const { browser, system } = namesOfDevice(userAgent)
      if (browser !== null && system !== null) return say('device', { browser, system })
      return browser ?? system ?? say('device_unknown')
    },
  }
}

/** An address in groups of four, as people compare it. */
export function grouped(address: string): string {
  return address.replace(/.{4}(?=.)/gu, '$& ')
}

/** The facts that were given, in this order. */
export function facts(list: readonly (readonly [label: string, value: string | undefined | null])[]): Fact[] {
  return list.flatMap(([label, value]) =>
    value === undefined || value === null || value === '' ? [] : [{ label, value }],
  )
}

/** Who did it, as far as that is known. */
export interface Traces {
  readonly at: Date
  readonly device?: string | undefined
  readonly ip?: string | undefined
  readonly notMeUrl?: string | undefined
}

export function traceFacts(pen: Pen, traces: Traces): Fact[] {
  const { at, device, ip } = traces
  return facts([
    [pen.say('fact_at'), pen.instant(at)],
    [pen.say('fact_device'), device === undefined ? null : pen.device(device)],
    [pen.say('fact_ip'), ip === undefined ? null : pen.quote(ip)],
  ])
}

/** @param otherwise what to do where there is no link */
export function notMe(pen: Pen, { notMeUrl: url }: Traces, otherwise: TextKey): Letter['notMe'] {
  const question = pen.say('not_me')
  if (url === undefined) return { question, text: pen.say(otherwise), link: null }
  return { question, text: pen.say('not_me_text'), link: { label: pen.say('not_me_link'), url } }
}
