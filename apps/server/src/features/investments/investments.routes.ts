import { randomUUID } from 'node:crypto'
import * as contract from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { announceInvestment } from './announce.commands.ts'
import { investBalance } from './investments.commands.ts'
import {
  presentInvestment,
  presentInvoice,
  presentInvoiceStatus,
  presentTerms,
  statusMessage,
} from './investments.presenter.ts'
import { investmentsOf, invoiceStatusOf, standingOf, unfinishedInvoices } from './investments.queries.ts'
import { cancelInvoice, completeInvoice, createInvoice } from './invoices.commands.ts'

const member = { access: 'member', tags: ['plans'] } as const
/** Anyone with an invoice's random id may follow it: it names no member. */
const follower = { access: 'public', tags: ['plans'] } as const
const params = z.object({ txn_id: z.string().max(64) })

const statusNow = async (call: Context, txnId: string, memberId?: bigint) =>
  invoiceStatusOf(call.db, txnId, await call.clock.now(), call.config.confirmsNeeded, memberId)

export const investmentsRoutes = routes({
  invest: route({
    ...member,
    call: 'POST /plans/create-investment-payment/',
    summary: 'Asks for an invoice to invest by, or invests from the balance at once',
    body: contract.createInvestmentBody,
    response: { 200: contract.messageObject, 201: contract.investmentPayment },
    transaction: 'idempotent',
    refuses: [
      'account_frozen',
      'first_investment_too_small',
      'top_up_too_small',
      'amount_too_large',
      'too_many_open_invoices',
      'no_address_left',
      'balance_too_small',
      'balance_daily_limit',
      'debt_first',
    ],
    handler: async ({ body: { amount, payPasive } }, call) => {
      const { tx, caller, config, locale } = call
      const now = await call.now()
      if (payPasive === true) {
        const key = call.idempotencyKey ?? randomUUID()
        const invested = await investBalance(tx, caller.memberId, amount, now, key)
        if (invested !== null) await announceInvestment(config, tx, invested, call.systemNow)
        return { status: 200, body: { message: say(locale, 'reinvested') } }
      }
      const invoice = await createInvoice(tx, caller.memberId, amount, now)
      return { status: 201, body: presentInvoice(config, invoice, now) }
    },
  }),
  verifyInvestment: route({
    ...member,
    call: 'POST /plans/verify-investment-amount/',
    summary: 'Says whether the payment of an invoice is confirmed',
    body: contract.verifyBody,
    response: { 200: contract.messageText },
    refuses: [
      'invoice_not_found',
      'payment_not_seen',
      'payment_confirming',
      'payment_short',
      'payment_late',
      'payment_returned',
      'invoice_expired',
      'invoice_cancelled',
    ],
    handler: async ({ body }, call) => {
      const status = await statusNow(call, body.txn_id, call.caller.memberId)
      const { key, params } = statusMessage(call.config, status)
      if (key === 'payment_confirmed' || key === 'payment_confirmed_over')
        return say(call.reader, key, params)
      throw new Refusal(key, params)
    },
  }),
  listInvoices: route({
    ...member,
    call: 'GET /plans/invoices/',
    summary: 'The investments that the member has not finished paying, oldest first',
    response: { 200: z.array(contract.invoiceStatus) },
    handler: async (_, call) => {
      const { db, config, caller, reader } = call
      const unfinished = await unfinishedInvoices(
        db,
        caller.memberId,
        await call.clock.now(),
        config.confirmsNeeded,
      )
      return unfinished.map((status) => presentInvoiceStatus(config, status, reader))
    },
  }),
  completeInvoice: route({
    ...member,
    call: 'POST /plans/invoices/:txn_id/complete/',
    summary: 'Completes an invoice with what the balance has',
    params,
    response: { 200: contract.messageObject },
    transaction: 'idempotent',
    refuses: [
      'account_frozen',
      'invoice_not_found',
      'invoice_ended',
      'balance_too_small',
      'balance_daily_limit',
      'debt_first',
    ],
    handler: async ({ params }, { tx, caller, config, locale, now, systemNow }) => {
      const invested = await completeInvoice(tx, caller.memberId, params.txn_id, await now())
      await announceInvestment(config, tx, invested, systemNow)
      return { message: say(locale, 'reinvested') }
    },
  }),
  cancelInvoice: route({
    ...member,
    call: 'POST /plans/invoices/:txn_id/cancel/',
    summary: 'Cancels an invoice; what came for it goes to the balance',
    params,
    response: { 200: contract.messageObject },
    transaction: 'idempotent',
    refuses: ['invoice_not_found', 'invoice_ended'],
    handler: async ({ params }, { tx, caller, locale, now }) => {
      await cancelInvoice(tx, caller.memberId, params.txn_id, await now())
      return { message: say(locale, 'invoice_cancelled') }
    },
  }),
  readInvoice: route({
    ...follower,
    call: 'GET /plans/invoices/:txn_id/',
    summary: 'The live state of an invoice',
    params,
    response: { 200: contract.invoiceStatus },
    refuses: ['invoice_not_found'],
    handler: async ({ params }, call) =>
      presentInvoiceStatus(call.config, await statusNow(call, params.txn_id), call.reader),
  }),
  drawInvoiceQrCode: route({
    ...follower,
    call: 'GET /plans/invoices/:txn_id/qrcode.svg',
    summary: 'The address of an invoice as a QR code',
    params,
    response: { 200: z.string() },
    produces: 'image/svg+xml',
    refuses: ['invoice_not_found'],
    handler: async ({ params }, call) => {
      const { address } = await statusNow(call, params.txn_id)
      call.header('cache-control', 'no-store')
      const { default: QRCode } = await import('qrcode')
      return QRCode.toString(address, { type: 'svg', errorCorrectionLevel: 'L', margin: 2, width: 256 })
    },
  }),
  readInvestmentTerms: route({
    ...member,
    call: 'GET /plans/terms/',
    summary: 'What the invest form says before anything is created',
    response: { 200: contract.investmentTerms },
    handler: async (_, call) => {
      const now = await call.now()
      const { plan } = await planAt(call.db, now)
      return presentTerms(plan, await standingOf(call.db, call.caller.memberId, plan, now), now)
    },
  }),
  listInvestments: route({
    ...member,
    call: 'GET /plans/history/',
    replica: true,
    summary: 'The investments of the member, newest first',
    query: contract.pageQuery,
    response: { 200: contract.pageOf(contract.investmentEntry) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await investmentsOf(call.db, call.caller.memberId, pageSize, offset)
      const results = rows.map((row) => presentInvestment(call.config, row))
      return presentList(call, query, { count, results })
    },
  }),
})
