import { Readable } from 'node:stream'
import {
  binaryPayment,
  binaryPoints,
  binaryStanding,
  directPayment,
  monthEarnings,
  notPaid,
  pageOf,
  pageQuery,
  passivePayment,
  paymentWhy,
  statementQuery,
} from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readPaymentId } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import { callerOf } from '../../http/access.ts'
import type { Api } from '../../http/api.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import { planAt } from '../plans/plan-versions.commands.ts'
import { commissionsOf, monthsOf, notPaidTo, passivesOf, paymentOf, timeZoneAt } from './payments.commands.ts'
import {
  presentBinary,
  presentDirect,
  presentMonth,
  presentNotPaid,
  presentPassive,
  presentPoints,
} from './payments.presenter.ts'
import { pointsOf, standingOf } from './points.commands.ts'
import { readRange, statementLines } from './statement.commands.ts'
import { presentWhy } from './why.presenter.ts'

const config = { access: 'member' } as const

type PagedRequest = FastifyRequest & { query: z.output<typeof pageQuery> }

/** The lists of payments: each a page of rows, told in the reader's language and the plan's time zone. */
function listRoutes(api: Api, { db, clock }: Context): void {
  const list = <Row, Item extends z.ZodType>(
    path: string,
    item: Item,
    read: (memberId: bigint, limit: number, offset: number) => Promise<{ rows: Row[]; count: number }>,
    present: (row: Row, locale: ReturnType<typeof localeOf>, zone: string) => z.output<Item>,
  ) =>
    api.get(
      path,
      { config, schema: { querystring: pageQuery, response: { 200: pageOf(item) } } },
      async (request) => {
        const { pageSize, offset } = readPage(request.query)
        const { rows, count } = await read(callerOf(request).memberId, pageSize, offset)
        const zone = await timeZoneAt(db, await clock.now())
        const locale = localeOf(request)
        return presentPage(request as PagedRequest, {
          count,
          results: rows.map((row) => present(row, locale, zone)),
        })
      },
    )
  list(
    '/payments/direct-payments/',
    directPayment,
    (...of) => commissionsOf(db, of[0], 'direct', of[1], of[2]),
    presentDirect,
  )
  list(
    '/payments/binary-payments/',
    binaryPayment,
    (...of) => commissionsOf(db, of[0], 'binary', of[1], of[2]),
    presentBinary,
  )
  list('/payments/pasive-payments/', passivePayment, (...of) => passivesOf(db, ...of), presentPassive)
  list('/payments/binary-points-payments/', binaryPoints, (...of) => pointsOf(db, ...of), presentPoints)
  list('/payments/not-paid/', notPaid, (...of) => notPaidTo(db, ...of), presentNotPaid)
}

function standingRoute(api: Api, { db, clock }: Context): void {
  api.get(
    '/payments/binary-standing/',
    { config, schema: { response: { 200: binaryStanding } } },
    async (request) => {
      const { memberId } = callerOf(request)
      const standing = await standingOf(db, memberId)
      const { plan } = await planAt(db, await clock.now())
      return {
        as_of: standing.as_of,
        left_points: formatMicro(micro(standing.left)),
        right_points: formatMicro(micro(standing.right)),
        qualified: standing.lacking.length === 0,
        lacking: standing.lacking,
        percentage: plan.binary.percent,
        daily_cap: formatMicro(plan.binary.dailyCap),
      }
    },
  )
}

const YEAR = /^(20\d\d|21\d\d)$/

function earningsRoute(api: Api, { db, clock }: Context): void {
  api.get(
    '/payments/earnings/:year/',
    {
      config,
      schema: { params: z.object({ year: z.string() }), response: { 200: z.array(monthEarnings) } },
    },
    async (request) => {
      const { year } = request.params
      if (!YEAR.test(year)) throw new Refusal('year_invalid')
      const months = await monthsOf(db, callerOf(request).memberId, Number(year), await clock.now())
      return months.map(presentMonth)
    },
  )
}

function whyRoute(api: Api, { db, clock }: Context): void {
  api.get(
    '/payments/why/:id/',
    { config, schema: { params: z.object({ id: z.string() }), response: { 200: paymentWhy } } },
    async (request) => {
      const place = readPaymentId(request.params.id)
      const payment = place === null ? null : await paymentOf(db, callerOf(request).memberId, place)
      if (payment === null) throw new Refusal('payment_not_found')
      return presentWhy(payment, localeOf(request), await timeZoneAt(db, await clock.now()))
    },
  )
}

function statementRoute(api: Api, { db, clock }: Context): void {
  api.get(
    '/payments/statement/',
    { config, schema: { querystring: statementQuery } },
    async (request, reply) => {
      const range = await readRange(db, request.query, await clock.now())
      const lines = statementLines(db, callerOf(request).memberId, range, localeOf(request))
      reply.type('text/csv; charset=utf-8')
      reply.header('Content-Disposition', `attachment; filename="aval-${range.from}-${range.to}.csv"`)
      return reply.send(Readable.from(lines))
    },
  )
}

export function paymentsRoutes(api: Api, context: Context): void {
  listRoutes(api, context)
  standingRoute(api, context)
  earningsRoute(api, context)
  whyRoute(api, context)
  statementRoute(api, context)
}
