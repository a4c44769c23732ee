import { Readable } from 'node:stream'
import * as contract from '@aval/contract'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { readPaymentId } from '../../core/ids.ts'
import type { Reader } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { route, routes } from '../../http/route.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import {
  presentBinary,
  presentDirect,
  presentLegs,
  presentMonth,
  presentNotPaid,
  presentPassive,
  presentPayment,
  presentPoints,
  presentTotals,
  presentWhy,
} from './earnings.presenter.ts'
import { commissionsOf, notPaidTo, passivesOf, paymentOf } from './earnings.queries.ts'
import { monthsOf } from './months.queries.ts'
import { paymentsOf, totalsOf } from './payments.queries.ts'
import { legsOf, pointsOf } from './points.queries.ts'
import { readDays, readRange, readStatement, statementLines } from './statement.queries.ts'

const member = { access: 'member', tags: ['payments'] } as const

interface List<Row, Item extends z.ZodType> {
  readonly call: `GET /${string}`
  readonly summary: string
  readonly item: Item
  readonly read: (
    db: Context['db'],
    memberId: bigint,
    limit: number,
    offset: number,
  ) => Promise<{ rows: Row[]; count: number }>
  readonly present: (row: Row, reader: Reader, zone: string) => z.output<Item>
}

/** A page of rows, newest first, in the reader's language and time zone. */
const list = <Row, Item extends z.ZodType>({ item, read, present, ...named }: List<Row, Item>) =>
  route({
    ...member,
    ...named,
    replica: true,
    query: contract.pageQuery,
    response: { 200: contract.pageOf(item) },
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const { rows, count } = await read(call.db, call.caller.memberId, pageSize, offset)
      const zone = call.caller.timeZone
      return presentList(call, query, { count, results: rows.map((row) => present(row, call.reader, zone)) })
    },
  })

const wantedOf = ({ kind, q, ...days }: contract.PaymentsFilter, zone: string) => ({
  kind,
  person: q ?? '',
  ...readDays(days, zone),
})

const YEAR = /^(20\d\d|21\d\d)$/

export const earningsRoutes = routes({
  listPayments: route({
    ...member,
    call: 'GET /payments/all/',
    replica: true,
    summary: 'Payments of every kind, by kind, days and person',
    query: contract.paymentsQuery,
    response: { 200: contract.pageOf(contract.payment) },
    refuses: ['dates_invalid', 'payment_kind_invalid'],
    handler: async ({ query }, call) => {
      const { pageSize, offset } = readPage(query)
      const wanted = wantedOf(query, call.caller.timeZone)
      const { rows, count } = await paymentsOf(call.db, call.caller.memberId, wanted, pageSize, offset)
      const results = rows.map((row) => presentPayment(row, call.reader, call.caller.timeZone))
      return presentList(call, query, { count, results })
    },
  }),
  readPaymentTotals: route({
    ...member,
    call: 'GET /payments/totals/',
    replica: true,
    summary: 'How many payments a filter finds, and their sums',
    query: contract.paymentsFilter,
    response: { 200: contract.paymentTotals },
    refuses: ['dates_invalid', 'payment_kind_invalid'],
    handler: async ({ query }, call) => {
      const wanted = wantedOf(query, call.caller.timeZone)
      return presentTotals(await totalsOf(call.db, call.caller.memberId, wanted))
    },
  }),
  listDirectPayments: list({
    call: 'GET /payments/direct-payments/',
    summary: 'Direct and master commissions',
    item: contract.directPayment,
    read: (db, memberId, ...page) => commissionsOf(db, memberId, 'direct', ...page),
    present: presentDirect,
  }),
  listBinaryPayments: list({
    call: 'GET /payments/binary-payments/',
    summary: 'Binary matches',
    item: contract.binaryPayment,
    read: (db, memberId, ...page) => commissionsOf(db, memberId, 'binary', ...page),
    present: presentBinary,
  }),
  listPassivePayments: list({
    call: 'GET /payments/pasive-payments/',
    summary: 'Days of passive profit',
    item: contract.passivePayment,
    read: passivesOf,
    present: presentPassive,
  }),
  listBinaryPoints: list({
    call: 'GET /payments/binary-points-payments/',
    summary: 'Investments below the member that gave points',
    item: contract.binaryPoints,
    read: pointsOf,
    present: presentPoints,
  }),
  listNotPaid: list({
    call: 'GET /payments/not-paid/',
    summary: 'What was not paid, and why',
    item: contract.notPaid,
    read: notPaidTo,
    present: presentNotPaid,
  }),
  readBinaryStanding: route({
    ...member,
    call: 'GET /payments/binary-standing/',
    replica: true,
    summary: 'The points on both legs, and what qualifying lacks',
    response: { 200: contract.binaryStanding },
    handler: async (_, call) => {
      const { plan } = await planAt(call.db, await call.now())
      return presentLegs(await legsOf(call.db, call.caller.memberId), plan)
    },
  }),
  readEarningsOfYear: route({
    ...member,
    call: 'GET /payments/earnings/:year/',
    replica: true,
    summary: 'What was paid in each month of a year',
    params: z.object({ year: z.string() }),
    response: { 200: z.array(contract.monthEarnings) },
    refuses: ['year_invalid'],
    handler: async ({ params: { year } }, call) => {
      if (!YEAR.test(year)) throw new Refusal('year_invalid')
      const months = await monthsOf(call.db, call.caller.memberId, Number(year), await call.now())
      return months.map(presentMonth)
    },
  }),
  explainPayment: route({
    ...member,
    call: 'GET /payments/why/:id/',
    replica: true,
    summary: 'Everything behind one payment',
    params: z.object({ id: z.string() }),
    response: { 200: contract.paymentWhy },
    refuses: ['payment_not_found'],
    handler: async ({ params }, call) => {
      const place = readPaymentId(params.id)
      const payment = place === null ? null : await paymentOf(call.db, call.caller.memberId, place)
      if (payment === null) throw new Refusal('payment_not_found')
      return presentWhy(payment, call.reader, call.caller.timeZone)
    },
  }),
  downloadStatement: route({
    ...member,
    call: 'GET /payments/statement/',
    summary: 'The movements of the member as CSV',
    query: contract.statementQuery,
    response: { 200: z.instanceof(Readable) },
    produces: 'text/csv; charset=utf-8',
    refuses: ['dates_invalid'],
    handler: async ({ query }, call) => {
      const range = readRange(query, await call.now(), call.caller.timeZone)
      call.header('Content-Disposition', `attachment; filename="aval-${range.from}-${range.to}.csv"`)
      return Readable.from(statementLines(call.db, call.caller.memberId, range, call.reader))
    },
  }),
  downloadStatementPdf: route({
    ...member,
    call: 'GET /payments/statement/pdf/',
    replica: true,
    summary: 'The movements of the member as a PDF',
    query: contract.statementQuery,
    response: { 200: z.instanceof(Readable) },
    produces: 'application/pdf',
    limits: [{ limit: 'statements', by: 'member' }],
    refuses: ['dates_invalid', 'statement_too_long', 'too_many_requests'],
    handler: async ({ query }, call) => {
      const now = await call.now()
      const days = readRange(query, now, call.caller.timeZone)
      // What writes PDF is 2 MB of code, which few ask for.
      const { MOST_LINES, statementPdf } = await import('./statement-pdf.ts')
      const statement = await readStatement(call.db, call.caller.memberId, days, MOST_LINES)
      call.header('Content-Disposition', `attachment; filename="aval-${days.from}-${days.to}.pdf"`)
      return statementPdf({ statement, days, reader: call.reader, madeAt: now })
    },
  }),
})
