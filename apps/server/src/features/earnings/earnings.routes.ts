import { Readable } from 'node:stream'
import {
  binaryPayment,
  binaryPoints,
  binaryStanding,
  directPayment,
  type Locale,
  monthEarnings,
  notPaid,
  pageOf,
  pageQuery,
  passivePayment,
  paymentWhy,
  statementQuery,
} from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readPaymentId } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { planAt, timeZoneAt } from '../plan-versions/plan-versions.queries.ts'
import {
  presentBinary,
  presentDirect,
  presentLegs,
  presentMonth,
  presentNotPaid,
  presentPassive,
  presentPoints,
  presentWhy,
} from './earnings.presenter.ts'
import { commissionsOf, notPaidTo, passivesOf, paymentOf } from './earnings.queries.ts'
import { monthsOf } from './months.queries.ts'
import { legsOf, pointsOf } from './points.queries.ts'
import { readRange, statementLines } from './statement.queries.ts'

const member = { access: 'member', tags: ['payments'], method: 'GET' } as const

interface List<Row, Item extends z.ZodType> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly item: Item
  readonly read: (
    db: Context['db'],
    memberId: bigint,
    limit: number,
    offset: number,
  ) => Promise<{ rows: Row[]; count: number }>
  readonly present: (row: Row, locale: Locale, zone: string) => z.output<Item>
}

/** A page of rows, newest first, in the reader's language and the plan's time zone. */
const list = <Row, Item extends z.ZodType>({ item, read, present, ...named }: List<Row, Item>) =>
  route({
    ...member,
    ...named,
    query: pageQuery,
    response: { 200: pageOf(item) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await read(call.db, call.caller.memberId, pageSize, offset)
      const zone = await timeZoneAt(call.db, await call.now())
      return presentList(call, query, { count, results: rows.map((row) => present(row, call.locale, zone)) })
    },
  })

const directRoute = list({
  path: '/payments/direct-payments/',
  operationId: 'listDirectPayments',
  summary: 'Direct and master commissions',
  item: directPayment,
  read: (db, memberId, ...page) => commissionsOf(db, memberId, 'direct', ...page),
  present: presentDirect,
})

const binaryRoute = list({
  path: '/payments/binary-payments/',
  operationId: 'listBinaryPayments',
  summary: 'Binary matches',
  item: binaryPayment,
  read: (db, memberId, ...page) => commissionsOf(db, memberId, 'binary', ...page),
  present: presentBinary,
})

const passiveRoute = list({
  path: '/payments/pasive-payments/',
  operationId: 'listPassivePayments',
  summary: 'Days of passive profit',
  item: passivePayment,
  read: passivesOf,
  present: presentPassive,
})

const pointsRoute = list({
  path: '/payments/binary-points-payments/',
  operationId: 'listBinaryPoints',
  summary: 'Investments below the member that gave points',
  item: binaryPoints,
  read: pointsOf,
  present: presentPoints,
})

const notPaidRoute = list({
  path: '/payments/not-paid/',
  operationId: 'listNotPaid',
  summary: 'What was not paid, and why',
  item: notPaid,
  read: notPaidTo,
  present: presentNotPaid,
})

const legsRoute = route({
  ...member,
  path: '/payments/binary-standing/',
  operationId: 'readBinaryStanding',
  summary: 'The points on both legs, and what qualifying lacks',
  response: { 200: binaryStanding },
  handler: async (_, call) => {
    const { plan } = await planAt(call.db, await call.now())
    return presentLegs(await legsOf(call.db, call.caller.memberId), plan)
  },
})

const YEAR = /^(20\d\d|21\d\d)$/

const yearRoute = route({
  ...member,
  path: '/payments/earnings/:year/',
  operationId: 'readEarningsOfYear',
  summary: 'What was paid in each month of a year',
  params: z.object({ year: z.string() }),
  response: { 200: z.array(monthEarnings) },
  refuses: ['year_invalid'],
  handler: async ({ params: { year } }, call) => {
    if (!YEAR.test(year)) throw new Refusal('year_invalid')
    const months = await monthsOf(call.db, call.caller.memberId, Number(year), await call.now())
    return months.map(presentMonth)
  },
})

const whyRoute = route({
  ...member,
  path: '/payments/why/:id/',
  operationId: 'explainPayment',
  summary: 'Everything behind one payment',
  params: z.object({ id: z.string() }),
  response: { 200: paymentWhy },
  refuses: ['payment_not_found'],
  handler: async ({ params }, call) => {
    const place = readPaymentId(params.id)
    const payment = place === null ? null : await paymentOf(call.db, call.caller.memberId, place)
    if (payment === null) throw new Refusal('payment_not_found')
    return presentWhy(payment, call.locale, await timeZoneAt(call.db, await call.now()))
  },
})

const statementRoute = route({
  ...member,
  path: '/payments/statement/',
  operationId: 'downloadStatement',
  summary: 'The movements of the member as CSV',
  query: statementQuery,
  response: { 200: z.instanceof(Readable) },
  produces: 'text/csv; charset=utf-8',
  refuses: ['dates_invalid'],
  handler: async ({ query }, call) => {
    const range = await readRange(call.db, query, await call.now())
    call.header('Content-Disposition', `attachment; filename="aval-${range.from}-${range.to}.csv"`)
    return Readable.from(statementLines(call.db, call.caller.memberId, range, call.locale))
  },
})

export const earningsRoutes = routes(
  directRoute,
  binaryRoute,
  passiveRoute,
  pointsRoute,
  notPaidRoute,
  legsRoute,
  yearRoute,
  whyRoute,
  statementRoute,
)
