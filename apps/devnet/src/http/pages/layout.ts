/** What all pages share: the frame, and how addresses, amounts, times, transactions and their progress are written. */
import { DEVNET, DEVNET_ROLES, type DevnetRole, devnetAddress, type TronAddress } from '@aval/tron'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Chain } from '../../chain/chain.ts'
import { formatUnits } from '../../chain/fields.ts'
import { fieldsOf } from '../ask.ts'
import { chooseLanguage, type Language, type Translate, translator } from './texts.ts'

/** A piece of finished HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Html[] | null

/** Template tag: escapes every value that is not {@link Html}; null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    text += render(part) + (strings[index + 1] ?? '')
  })
  return new Html(text)
}

function render(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map((each) => each.text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** What a page needs to know about who asks. */
export interface PageContext {
  readonly language: Language
  readonly t: Translate
  /** "?lang=…" for links, when the language was asked for by name. */
  readonly keep: string
}

export function contextOf(request: FastifyRequest): PageContext {
  const { lang: asked } = fieldsOf(request.query, request.body)
  const language = chooseLanguage(asked, request.headers['accept-language'])
  return { language, t: translator(language), keep: asked === language ? `?lang=${language}` : '' }
}

/** Sends a whole page. `refreshSeconds` makes it load itself again: how pages without script stay true. */
export function sendPage(
  reply: FastifyReply,
  context: PageContext,
  page: {
    readonly title: string
    readonly body: Html
    readonly narrow?: boolean
    readonly refreshSeconds?: number
  },
): FastifyReply {
  const { t, language, keep } = context
  const refresh =
    page.refreshSeconds === undefined
      ? null
      : html`<meta http-equiv="refresh" content="${page.refreshSeconds}">`
  const document = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.title} · ${t('title')}</title>${refresh}
<link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.svg" type="image/svg+xml"></head>
<body><aside class="notice" aria-label="${t('title')}">${t('notice')}</aside>
<header><a class="brand" href="/${keep}">${t('title')}</a>
<form action="/search" role="search">${keep === '' ? null : html`<input type="hidden" name="lang" value="${language}">`}
<input name="q" aria-label="${t('searchHint')}" placeholder="${t('searchHint')}" maxlength="100" autocomplete="off">
<button>${t('search')}</button></form></header>
<main${page.narrow === true ? html` class="narrow"` : null}>${page.body}</main></body></html>`
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .send(document.text)
}

/** An address in groups of four; copied, it is one word. */
export function groups(address: string): Html {
  return html`<span class="groups">${(address.match(/.{1,4}/g) ?? []).map((part) => html`<span>${part}</span>`)}</span>`
}

export function addressLink(context: PageContext, address: TronAddress): Html {
  const known = roleOf(address)
  const name = known === null ? null : html` <span class="muted">${context.t(`role_${known}`)}</span>`
  return html`<a class="mono" href="/address/${address}${context.keep}">${address}</a>${name}`
}

/** A link to an address by its two ends, for tables. */
export function shortAddress(context: PageContext, address: TronAddress): Html {
  const known = roleOf(address)
  const text = known === null ? `${address.slice(0, 6)}…${address.slice(-6)}` : context.t(`role_${known}`)
  const look = known === null ? 'mono' : ''
  return html`<a class="${look}" href="/address/${address}${context.keep}" title="${address}">${text}</a>`
}

export function transactionLink(context: PageContext, txid: string, short = false): Html {
  const text = short ? `${txid.slice(0, 8)}…${txid.slice(-6)}` : txid
  return html`<a class="mono" href="/tx/${txid}${context.keep}">${text}</a>`
}

export function blockLink(context: PageContext, block: number): Html {
  return html`<a href="/block/${block}${context.keep}">${block}</a>`
}

/** An amount in millionths, with its unit set small. */
export function figure(units: bigint, unit: string): Html {
  return html`${formatUnits(units)} <small class="muted">${unit}</small>`
}

export function time(context: PageContext, timestamp: number): string {
  return timestamp === 0 ? '—' : `${timeFormat(context, 'medium').format(timestamp)} UTC`
}

/** A moment for a table: short, still to the second. */
export function shortTime(context: PageContext, timestamp: number): string {
  return timestamp === 0 ? '—' : timeFormat(context, 'short').format(timestamp)
}

function timeFormat(context: PageContext, dateStyle: 'medium' | 'short'): Intl.DateTimeFormat {
  const locale = context.language === 'es' ? 'es-419' : 'en-GB'
  return new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'medium', timeZone: 'UTC', hour12: false })
}

/** The development role of an address, if it has one. */
export function roleOf(address: TronAddress): DevnetRole | 'usdt' | null {
  if (address === DEVNET.usdt) return 'usdt'
  return ROLE_BY_ADDRESS.get(address) ?? null
}

const ROLE_BY_ADDRESS: ReadonlyMap<TronAddress, DevnetRole> = new Map(
  DEVNET_ROLES.map((role) => [devnetAddress(role), role]),
)

/** How far a transaction is: waiting, in a block, final; or failed, or gone. */
type Progress =
  | { readonly state: 'unknown' }
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly result: string }
  | { readonly state: 'confirming' | 'confirmed'; readonly count: number; readonly needed: number }

/** Where the transaction stands now. A transaction that was dropped is unknown. */
export function progressOf(chain: Chain, txid: string): Progress {
  const transaction = chain.ledger.transaction(txid)
  if (transaction === null) return { state: chain.ledger.isPending(txid) ? 'waiting' : 'unknown' }
  if (transaction.result !== 'SUCCESS') return { state: 'failed', result: transaction.result }
  const needed = chain.solidLag
  const isFinal = transaction.block <= chain.solid().number
  const count = Math.min(needed, chain.head().number - transaction.block)
  return { state: isFinal ? 'confirmed' : 'confirming', count, needed }
}

/** Makes a page load itself again as long as the transaction is under way. */
export const refreshWhileOpen = ({ state }: Progress, refreshSeconds: number) =>
  state === 'waiting' || state === 'confirming' ? { refreshSeconds } : {}

/** One line, and a bar while it fills. */
export function statusLine(context: PageContext, progress: Progress): Html {
  const { t } = context
  switch (progress.state) {
    case 'unknown':
      return html`<span class="bad">${t('dropped')}</span>`
    case 'waiting':
      return html`<span class="badge">${t('waiting')}</span>`
    case 'failed':
      return html`<span class="badge bad">${t('failed', { result: progress.result })}</span>`
    case 'confirmed':
      return html`<span class="badge good">✓ ${t('confirmed')}</span>`
    case 'confirming': {
      const text = t('confirmations', { count: String(progress.count), needed: String(progress.needed) })
      return html`<span>${text}</span><progress max="${progress.needed}" value="${progress.count}" aria-label="${text}"></progress>`
    }
    default:
      return progress satisfies never
  }
}
