/** The checkout: pays an invoice from the demo wallet, once for every time the page was loaded. */
import { randomUUID } from 'node:crypto'
import { parseAddress, type TronAddress } from '@aval/tron'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Chain } from '../../chain/chain.ts'
import { DevRefusal, type DevWallet, KeyReused } from '../../chain/dev-wallet.ts'
import { formatUnits, parseUnits, plainUnits } from '../../chain/fields.ts'
import { fieldsOf } from '../ask.ts'
import {
  contextOf,
  figure,
  groups,
  type Html,
  html,
  type PageContext,
  progressOf,
  refreshWhileOpen,
  sendPage,
  statusLine,
  transactionLink,
} from './layout.ts'

const short = (length: number) => z.string().max(length).catch('')
const fieldsShape = z.object({
  to: short(64),
  amount: short(32),
  due: short(32),
  invoice: short(64),
  key: short(64),
  txid: short(64),
})

type Fields = z.infer<typeof fieldsShape>

export function checkoutPages(app: FastifyInstance, chain: Chain, wallet: DevWallet): void {
  app.get('/checkout', async (request, reply) => {
    const context = contextOf(request)
    const fields = fieldsShape.parse(request.query)
    const to = parseAddress(fields.to)
    if (to === null) return badAddress(reply, context)
    return sendForm(reply, context, payBody(context, to, fields, fields.amount, null))
  })

  app.post('/checkout/pay', async (request, reply) => {
    const context = contextOf(request)
    const fields = fieldsShape.parse(fieldsOf({}, request.body))
    const to = parseAddress(fields.to)
    if (to === null) return badAddress(reply, context)
    const typed = fields.amount.trim()
    const amount = parseUnits(typed.replace(/^(\d+),(\d{1,6})$/, '$1.$2'))
    const again = (status: number, reason: string) =>
      sendForm(
        reply.code(status),
        context,
        payBody(context, to, { ...fields, amount: fields.due }, typed, reason),
      )
    if (amount === null || amount === 0n) return again(400, context.t('badAmount'))
    try {
      // A page without a key was not loaded from here; it is paid as often as it is sent.
      const key = `checkout ${fields.key === '' ? randomUUID() : fields.key}`
      const txid = await wallet.pay('demoWallet', to, amount, key)
      return reply.redirect(`/checkout/paid?${paidQuery(context, fields, plainUnits(amount), txid)}`, 303)
    } catch (error) {
      if (!(error instanceof DevRefusal || error instanceof KeyReused)) throw error
      return again(409, context.t('refused', { reason: error.message }))
    }
  })

  app.get('/checkout/paid', async (request, reply) => {
    const context = contextOf(request)
    const fields = fieldsShape.parse(request.query)
    const progress = progressOf(chain, fields.txid)
    return sendPage(reply, context, {
      title: context.t(TITLES[progress.state]),
      narrow: true,
      body: paidBody(chain, context, fields),
      ...refreshWhileOpen(progress, 1),
    })
  })
}

const sendForm = (reply: FastifyReply, context: PageContext, body: Html): FastifyReply =>
  sendPage(reply, context, { title: context.t('checkout'), narrow: true, body })

function badAddress(reply: FastifyReply, context: PageContext): FastifyReply {
  const { t } = context
  const card = html`<section class="card"><p class="bad" role="alert">${t('badAddress')}</p></section>`
  return sendForm(reply.code(400), context, html`<h1>${t('checkout')}</h1>${card}`)
}

const TITLES = {
  unknown: 'paymentFailed',
  waiting: 'sent',
  confirming: 'sent',
  failed: 'paymentFailed',
  confirmed: 'paid',
} as const

function payBody(
  context: PageContext,
  to: TronAddress,
  fields: Fields,
  typed: string,
  error: string | null,
): Html {
  const { t } = context
  const due = parseUnits(fields.amount)
  const primary =
    due === null || due === 0n
      ? null
      : html`<form method="post" action="/checkout/pay">${hidden(context, to, fields)}
<input type="hidden" name="amount" value="${plainUnits(due)}">
<button class="primary">${t('pay', { amount: formatUnits(due) })}</button></form>`
  const isOpen = error !== null || primary === null
  const invalid = error === null ? null : html` aria-invalid="true" aria-describedby="amount-error"`
  return html`<div><h1>${t('checkout')}</h1><p class="lead">${t('checkoutLead')}</p></div>
<section class="card stack">
${due === null ? null : html`<div><div class="muted">${t('amount')}</div><div class="figure">${figure(due, 'USDT')}</div></div>`}
<div><div class="muted">${t('sendTo')}</div>${groups(to)}</div>
<dl><dt>${t('network')}</dt><dd>${t('networkName')}</dd>
${fields.invoice === '' ? null : html`<dt>${t('invoice')}</dt><dd class="mono">${fields.invoice}</dd>`}</dl>
<div>${primary}
<details${isOpen ? html` open` : null}><summary>${t('otherAmount')}</summary>
<form method="post" action="/checkout/pay">${hidden(context, to, fields)}
<label for="amount" class="muted">${t('otherAmountHint')}</label>
<div class="row"><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="20" required value="${typed}"${invalid}>
<button>${t('payThis')}</button></div>
${error === null ? null : html`<div id="amount-error" class="bad" role="alert">${error}</div>`}</form></details></div></section>`
}

function paidBody(chain: Chain, context: PageContext, fields: Fields): Html {
  const { t } = context
  const progress = progressOf(chain, fields.txid)
  const amount = parseUnits(fields.amount)
  const to = parseAddress(fields.to)
  const { to: address, due, invoice } = fields
  const again = new URLSearchParams({ to: address, amount: due, invoice, lang: context.language })
  const isOver = progress.state === 'failed' || progress.state === 'unknown'
  const hint = progress.state === 'confirmed' ? t('closeHint') : t('waitHint')
  return html`<h1>${t(TITLES[progress.state])}</h1>
<section class="card stack"><div role="status">${statusLine(context, progress)}</div>
${amount === null ? null : html`<div><div class="muted">${t('amount')}</div><div class="figure">${figure(amount, 'USDT')}</div></div>`}
${to === null ? null : html`<div><div class="muted">${t('sendTo')}</div>${groups(to)}</div>`}
<dl class="wide">${fields.invoice === '' ? null : html`<dt>${t('invoice')}</dt><dd class="mono">${fields.invoice}</dd>`}
<dt>${t('transaction')}</dt><dd>${transactionLink(context, fields.txid)}</dd></dl>
${isOver ? html`<a class="button" href="/checkout?${again.toString()}">${t('payAgain')}</a>` : html`<p class="lead">${hint}</p>`}</section>`
}

/** What both forms carry. The key is new for every load, so a second click on the same page pays nothing. */
function hidden(context: PageContext, to: TronAddress, fields: Fields): Html {
  const { amount: due, invoice } = fields
  const values = { to, due, invoice, lang: context.language, key: randomUUID() }
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

function paidQuery(context: PageContext, fields: Fields, amount: string, txid: string): string {
  const { to, due, invoice } = fields
  return new URLSearchParams({ txid, to, amount, due, invoice, lang: context.language }).toString()
}
