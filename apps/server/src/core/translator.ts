/** i18next as the server uses it: many languages at once, no parameter ever missing. */
import { LOCALES, type Locale } from '@aval/contract'
import { createInstance, type FormatterModule, type TOptions } from 'i18next'

/** A text by its key, with `{{name}}` where a parameter goes, and `_one`, `_other` … where it depends on `count`. */
export type Texts<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>

/** @param params as they are written @param count chooses between one and many */
export type Translate<Key extends string> = (
  locale: Locale,
  key: Key,
  params?: Readonly<Record<string, string>>,
  count?: unknown,
) => string

/** @returns a function that throws when a text needs a parameter that was not given */
export function createTranslator<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const formatter: FormatterModule = {
    type: 'formatter',
    init: () => undefined,
    add: () => undefined,
    addCached: () => undefined,
    format(value: string | undefined, _format, _language, options) {
      if (value !== undefined) return value
      throw new Error(`a sentence needs the parameter ${options?.['interpolationkey']}`)
    },
  }
  const i18n = createInstance().use(formatter)
  i18n.init({
    resources: Object.fromEntries(LOCALES.map((locale) => [locale, { translation: texts[locale] }])),
    lng: LOCALES[0],
    fallbackLng: false,
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, alwaysFormat: true },
  })
  return (locale, key, params = {}, count = undefined) => {
    const options = { lng: locale, replace: params, ...(typeof count === 'number' && { count }) }
    return i18n.t<string, TOptions, string>(key, options)
  }
}
