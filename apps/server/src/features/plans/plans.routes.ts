import { randomUUID } from 'node:crypto'
import {
  createInvestmentBody,
  investmentEntry,
  investmentPayment,
  investmentTerms,
  invoiceStatus,
  messageObject,
  messageText,
  pageOf,
  pageQuery,
  verifyBody,
} from '@aval/contract'
import { formatMicro, ratioToPercentText } from '@aval/money'
import { dailyRate } from '@aval/plan'
import QRCode from 'qrcode'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { callerOf } from '../../http/access.ts'
import { jsonText } from '../../http/answer.ts'
import type { Api } from '../../http/api.ts'
import { idempotently } from '../../http/idempotency.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { planAt } from './plan-versions.commands.ts'
import {
  createInvoice,
  depositAddressOf,
  investBalance,
  investmentsOf,
  invoiceStanding,
  minimumFor,
} from './plans.commands.ts'
import { presentInvestment, presentInvoice, presentStanding, standingMessage } from './plans.presenter.ts'

const invoiceParams = z.object({ txn_id: z.string().max(64) })

export function plansRoutes(api: Api, context: Context): void {
  investing(api, context)
  following(api, context)
  reading(api, context)
}

function investing(api: Api, context: Context): void {
  api.post(
    '/plans/create-investment-payment/',
    {
      config: { access: 'member' },
      schema: { body: createInvestmentBody, response: { 200: messageObject, 201: investmentPayment } },
    },
    async (request, reply) => {
      const { memberId } = callerOf(request)
      const { amount, payPasive } = request.body
      const now = await context.clock.now()
      if (payPasive === true) {
        const header = request.headers['idempotency-key']
        const key = typeof header === 'string' ? header : randomUUID()
        const answer = await idempotently(context, request, memberId, async (tx) => {
          await investBalance(tx, memberId, amount, now, key)
          return { status: 200 as const, body: { message: say(localeOf(request), 'reinvested') } }
        })
        return reply.code(200).send(answer.body)
      }
      const answer = await idempotently(context, request, memberId, async (tx) => ({
        status: 201 as const,
        body: presentInvoice(context.config, await createInvoice(tx, memberId, amount, now), now),
      }))
      return reply.code(201).send(answer.body)
    },
  )

  api.post(
    '/plans/verify-investment-amount/',
    { config: { access: 'member' }, schema: { body: verifyBody, response: { 200: messageText } } },
    async (request, reply) => {
      const { db, clock, config } = context
      const { memberId } = callerOf(request)
      const standing = await invoiceStanding(
        db,
        request.body.txn_id,
        await clock.now(),
        config.confirmsNeeded,
        memberId,
      )
      const { key, params } = standingMessage(config, standing)
      if (key === 'payment_confirmed') return jsonText(reply, say(localeOf(request), key, params))
      throw new Refusal(key, params)
    },
  )
}

/** Whoever knows an invoice's id may follow it: it names nobody. */
function following(api: Api, context: Context): void {
  api.get(
    '/plans/invoices/:txn_id/',
    { config: { access: 'public' }, schema: { params: invoiceParams, response: { 200: invoiceStatus } } },
    async (request) => {
      const { db, clock, config } = context
      const standing = await invoiceStanding(
        db,
        request.params.txn_id,
        await clock.now(),
        config.confirmsNeeded,
      )
      return presentStanding(config, standing, localeOf(request))
    },
  )

  api.get(
    '/plans/invoices/:txn_id/qrcode.svg',
    { config: { access: 'public' }, schema: { params: invoiceParams } },
    async (request, reply) => {
      const { db, clock, config } = context
      const standing = await invoiceStanding(
        db,
        request.params.txn_id,
        await clock.now(),
        config.confirmsNeeded,
      )
      const address = await depositAddressOf(db, standing.invoice.member_id)
      const svg = await QRCode.toString(address, {
        type: 'svg',
        errorCorrectionLevel: 'L',
        margin: 2,
        width: 256,
      })
      return reply.type('image/svg+xml').header('cache-control', 'no-store').send(svg)
    },
  )
}

function reading(api: Api, context: Context): void {
  api.get(
    '/plans/terms/',
    { config: { access: 'member' }, schema: { response: { 200: investmentTerms } } },
    async (request) => {
      const { plan } = await planAt(context.db, await context.clock.now())
      return {
        minimum: formatMicro(await minimumFor(context.db, callerOf(request).memberId, plan)),
        fee_percentage: plan.investment.feePercent,
        lock_days: plan.investment.lockDays,
        daily_percentage: ratioToPercentText(dailyRate(plan)),
      }
    },
  )

  api.get(
    '/plans/history/',
    {
      config: { access: 'member' },
      schema: { querystring: pageQuery, response: { 200: pageOf(investmentEntry) } },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const { rows, count } = await investmentsOf(context.db, callerOf(request).memberId, pageSize, offset)
      return presentPage(request, {
        count,
        results: rows.map((row) => presentInvestment(context.config, row)),
      })
    },
  )
}
