import { LOCALES, type Locale } from '@aval/contract'
import type { FastifyRequest } from 'fastify'

const [DEFAULT] = LOCALES

/** One entry of Accept-Language: `es-MX;q=0.8`. A weight that cannot be read counts as none. */
function readEntry(entry: string): { language: string; weight: number } {
  const [tag = '', ...params] = entry.split(';')
  const language = tag.trim().toLowerCase().split('-')[0] ?? ''
  const weightText = params.map((param) => /^\s*q\s*=\s*([01](?:\.\d{1,3})?)\s*$/i.exec(param)?.[1])
  const stated = params.length > 0
  const weight = stated ? Number(weightText.find((text) => text !== undefined) ?? '0') : 1
  return { language, weight }
}

/** The best language we speak of those a header asks for; the first named wins a tie, Spanish when there is none. */
export function negotiate(header: string | undefined): Locale {
  let best: { locale: Locale; weight: number } = { locale: DEFAULT, weight: 0 }
  for (const entry of (header ?? '').slice(0, 1000).split(',')) {
    const { language, weight } = readEntry(entry)
    const locale = language === '*' ? DEFAULT : LOCALES.find((known) => known === language)
    if (locale !== undefined && weight > best.weight) best = { locale, weight }
  }
  return best.locale
}

/** The language in which this request is answered. */
export function localeOf(request: Pick<FastifyRequest, 'headers'>): Locale {
  return negotiate(request.headers['accept-language'])
}
