/** Writes texts, amounts and dates of mails in one language. */
import type { Locale } from '@aval/contract'
import { DATE_REGION } from '@aval/contract/regions'
import type { Micro } from '@aval/money'
import { namesOfDevice } from '../../core/device-names.rules.ts'
import { sayAmount } from '../../core/messages.ts'
import { createTranslator } from '../../core/translator.ts'
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import { oneLine } from './mail.rules.ts'

export type TextKey = keyof typeof es

const LONGEST_VALUE = 300

const translate = createTranslator<TextKey, string>({ es, en }, (_locale, value) => value)

export interface Writer {
  readonly locale: Locale
  /** @throws when the text needs a parameter that was not given */
  say(key: TextKey, params?: Readonly<Record<string, string>>): string
  amount(value: Micro): string
  /** With its time zone. */
  instant(at: Date): string
  /** Text from outside, on one line. */
  quote(text: string): string
  /** Text from outside, in groups of four, the way people compare addresses. */
  wallet(address: string): string
  device(userAgent: string): string
}

/** @param timeZone of the times of day */
export function writerFor(locale: Locale, timeZone: string): Writer {
  const clock = new Intl.DateTimeFormat(DATE_REGION[locale], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  const say: Writer['say'] = (key, params) => translate(locale, key, params)
  const quote = (text: string) => oneLine(text, LONGEST_VALUE)
  return {
    locale,
    say,
    amount: (value) => sayAmount(locale, value),
    instant: (at) => clock.format(at),
    quote,
    wallet: (address) => quote(address).replace(/.{4}(?=.)/gu, '$& '),
    device(userAgent) {
      const { browser, system } = namesOfDevice(userAgent)
      if (browser !== null && system !== null) return say('device', { browser, system })
      return browser ?? system ?? say('device_unknown')
    },
  }
}
