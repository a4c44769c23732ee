import { LOCALES, type Locale } from '@aval/contract'
import { type Region, readRegion, regionOf } from '@aval/contract/regions'
import type { FastifyRequest } from 'fastify'
import { type Reader, readerOf } from '../core/messages.ts'

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

/** Where figures are written as for the caller: as was said, or as the languages of the request say. Null: neither says it. */
export function regionOfRequest({
  headers,
  caller,
}: Pick<FastifyRequest, 'headers' | 'caller'>): Region | null {
  const tags = (headers['accept-language'] ?? '').slice(0, 1000).split(',')
  return readRegion(caller?.region) ?? regionOf(tags.map((entry) => entry.split(';')[0] ?? ''))
}

/** For whom this request is answered. */
export const readerOfRequest = (request: Pick<FastifyRequest, 'headers' | 'caller'>): Reader =>
  readerOf(localeOf(request), regionOfRequest(request))
