/** i18next as the server uses it: many languages at once, every parameter formatted, no parameter ever missing. */
import { LOCALES, type Locale, readLocale } from '@aval/contract'
import { createInstance, type FormatterModule, type TOptions } from 'i18next'

/** A text by its key, with `{{name}}` where a parameter goes, and `_one`, `_other` … where it depends on `count`. */
export type Texts<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>

export type Translate<Key extends string, Value> = (
  locale: Locale,
  key: Key,
  params?: Readonly<Record<string, Value>>,
) => string

/**
 * @param format writes a parameter in a language
 * @returns a function that throws when a text needs a parameter that was not given
 */
export function createTranslator<Key extends string, Value>(
  texts: Texts<Key>,
  format: (locale: Locale, value: Value) => string,
): Translate<Key, Value> {
  const formatter: FormatterModule = {
    type: 'formatter',
    init: () => undefined,
    add: () => undefined,
    addCached: () => undefined,
    format(value: Value | undefined, _format, language = '', options) {
      if (value !== undefined) return format(readLocale(language), value)
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
  return (locale, key, params = {}) => {
    const count = params['count']
    const options = { lng: locale, replace: params, ...(typeof count === 'number' && { count }) }
    return i18n.t<string, TOptions, string>(key, options)
  }
}
