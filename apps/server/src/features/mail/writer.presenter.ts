/** Writes texts, amounts and dates of mails for one reader. */
import type { Locale } from '@aval/contract'
import type { Micro } from '@aval/money'
import { namesOfDevice } from '../../core/device-names.rules.ts'
import { type Reader, sayAmount, sayDay, sayDecimal, sayInstant, zoneInWords } from '../../core/messages.ts'
import { createTranslator } from '../../core/translator.ts'
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import { oneLine } from './mail.rules.ts'

export type TextKey = keyof typeof es

const LONGEST_VALUE = 300

const translate = createTranslator<TextKey>({ es, en })

export interface Writer {
  readonly locale: Locale
  /** @throws when the text needs a parameter that was not given */
  say(key: TextKey, params?: Readonly<Record<string, string>>): string
  amount(value: Micro): string
  decimal(value: string): string
  /** Without its time zone, which the mail says once. */
  instant(at: Date): string
  day(at: Date): string
  /** Which time zone the times are in that were written so far; empty where none was. */
  zone(): string
  /** Text from outside, on one line. */
  quote(text: string): string
  /** Text from outside, in groups of four, the way people compare addresses. */
  wallet(address: string): string
  device(userAgent: string): string
}

/** @param timeZone of the times of day */
export function writerFor(reader: Reader, timeZone: string): Writer {
  const { locale } = reader
  let written: Date | null = null
  const say: Writer['say'] = (key, params) => translate(locale, key, params)
  const quote = (text: string) => oneLine(text, LONGEST_VALUE)
  return {
    locale,
    say,
    amount: (value) => sayAmount(reader, value),
    decimal: (value) => sayDecimal(reader, value),
    instant(at) {
      written = at
      return sayInstant(reader, at, timeZone)
    },
    day: (at) => sayDay(reader, at, timeZone),
    zone: () => (written === null ? '' : say('times_in', { zone: zoneInWords(timeZone, written) })),
    quote,
    wallet: (address) => quote(address).replace(/.{4}(?=.)/gu, '$& '),
    device(userAgent) {
      const { browser, system } = namesOfDevice(userAgent)
      if (browser !== null && system !== null) return say('device', { browser, system })
      return browser ?? system ?? say('device_unknown')
    },
  }
}
