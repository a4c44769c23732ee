/** One member as operators see them. Lists and explanations are those that the member sees. */
import * as contract from '@aval/contract'
import { formatAmount } from '@aval/money'
import { z } from 'zod'
import { readId, readPaymentId } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import type { OperatorCall } from '../../http/call.ts'
import { type ExportedList, exportRoute } from '../../http/exports.ts'
import { presentList, readPage } from '../../http/paging.ts'
import { operator, route, routes } from '../../http/route.ts'
import { presentPayment, presentWhy } from '../earnings/earnings.presenter.ts'
import { paymentOf } from '../earnings/earnings.queries.ts'
import { paymentsOf } from '../earnings/payments.queries.ts'
import { readDays } from '../earnings/statement.queries.ts'
import { listReferrals } from '../genealogy/referrals.queries.ts'
import { listSecurityEvents } from '../identity/security-log/security-log.queries.ts'
import { listSessions } from '../identity/sessions/sessions.queries.ts'
import { presentInvestment } from '../investments/investments.presenter.ts'
import { investmentsOf } from '../investments/investments.queries.ts'
import { presentWithdrawal } from '../withdrawals/withdrawals.presenter.ts'
import { listWithdrawals, viewAt } from '../withdrawals/withdrawals.queries.ts'
import { presentDeposit, presentInvoiceLine, presentMail } from './file.presenter.ts'
import {
  depositsOf,
  invoicesOf,
  looksOf,
  mailsOf,
  notesOf,
  readFile,
  readNetwork,
  requireMember,
} from './file.queries.ts'
import { recordLook, writeNote } from './members.commands.ts'
import {
  countMovements,
  type MovementRow,
  movementsAfter,
  movementsOf,
  presentMovement,
} from './movements.queries.ts'

const one = {
  params: z.object({ id: z.string() }),
  ability: 'members.read',
  refuses: ['member_not_found'],
} as const

type Page = { readonly limit: number; readonly offset: number }

interface MemberList<Item extends z.ZodType> {
  readonly call: `GET /operator/members/:id/${string}/`
  readonly summary: string
  readonly item: Item
  readonly read: (
    call: OperatorCall,
    memberId: bigint,
    page: Page,
  ) => Promise<{ results: z.output<Item>[]; count: number }>
}

/** A page of something of one member, newest first. */
const list = <Item extends z.ZodType>({ item, read, ...named }: MemberList<Item>) =>
  route({
    ...operator,
    ...one,
    ...named,
    replica: true,
    query: contract.pageQuery,
    response: { 200: contract.pageOf(item) },
    handler: async ({ params, query }, call) => {
      const { pageSize: limit, offset } = readPage(query)
      const { id } = await requireMember(call.db, readId(params.id))
      return presentList(call, query, await read(call, id, { limit, offset }))
    },
  })

const MOVEMENTS_A_PAGE = 50

function readKey(text: string | undefined) {
  const [journal = '', leg = ''] = text?.split('-') ?? []
  return text === undefined ? null : { journalId: BigInt(journal), leg: Number(leg) }
}

export const memberFileOperatorRoutes = routes({
  readMemberFile: route({
    ...operator,
    ...one,
    call: 'GET /operator/members/:id/',
    summary: 'One member: who it is and what they have. That it was looked at is recorded, once an hour',
    response: { 200: contract.memberFile },
    handler: async ({ params }, call) => {
      const row = await requireMember(call.db, readId(params.id))
      await recordLook(call.db, call.caller.memberId, row.id, call.systemNow)
      return readFile(call, row)
    },
  }),
  listMovementsOfMember: route({
    ...operator,
    ...one,
    call: 'GET /operator/members/:id/movements/',
    replica: true,
    summary: 'The ledger of a member, newest first, with the figures after each line',
    query: contract.movementsQuery,
    response: { 200: contract.movementsPage },
    handler: async ({ params, query }, call) => {
      const { id } = await requireMember(call.db, readId(params.id))
      const { rows, more } = await movementsOf(call.db, id, readKey(query.before), MOVEMENTS_A_PAGE)
      const results = rows.map((row) => presentMovement(row, call.reader, call.config))
      return { results, next: more ? (results.at(-1)?.id ?? null) : null }
    },
  }),
  exportMovementsOfMember: exportRoute({
    call: 'GET /operator/members/:id/movements/export/',
    ability: 'members.export',
    summary: 'The ledger of a member as a file, oldest first',
    params: one.params,
    query: z.object({}),
    refuses: one.refuses,
    list: async (_query, call, params): Promise<ExportedList<MovementRow>> => {
      const { id } = await requireMember(call.db, readId(params.id))
      return {
        name: `member-${id}-movements`,
        columns: [
          { name: 'id', value: (row) => `${row.journal_id}-${row.leg}` },
          { name: 'at', value: ({ at }) => at },
          { name: 'kind', value: ({ kind }) => kind },
          { name: 'amount', value: ({ amount }) => formatAmount(amount) },
          { name: 'to_balance', value: (row) => formatAmount(row.to_balance) },
          { name: 'balance', value: ({ balance }) => formatAmount(balance) },
          { name: 'to_principal', value: (row) => formatAmount(row.to_principal) },
          { name: 'principal', value: ({ principal }) => formatAmount(principal) },
          { name: 'run', value: (row) => (row.run_id === null ? null : Number(row.run_id)) },
          {
            name: 'withdrawal',
            value: (row) => (row.withdrawal_id === null ? null : Number(row.withdrawal_id)),
          },
          {
            name: 'investment',
            value: (row) => (row.investment_id === null ? null : Number(row.investment_id)),
          },
          { name: 'txid', value: ({ txid }) => txid },
        ],
        about: (tx) => countMovements(tx, id),
        read: (tx, after, limit) => movementsAfter(tx, id, after, limit),
      }
    },
  }),
  listInvestmentsOfMember: list({
    call: 'GET /operator/members/:id/investments/',
    summary: 'The investments of a member',
    item: contract.investmentEntry,
    read: async ({ db, config }, id, { limit, offset }) => {
      const { rows, count } = await investmentsOf(db, id, limit, offset)
      return { results: rows.map((row) => presentInvestment(config, row)), count }
    },
  }),
  listInvoicesOfMember: list({
    call: 'GET /operator/members/:id/invoices/',
    summary: 'What a member asked to invest, and how it ended',
    item: contract.memberInvoice,
    read: async ({ db }, id, { limit, offset }) => {
      const { rows, count } = await invoicesOf(db, id, limit, offset)
      return { results: rows.map(presentInvoiceLine), count }
    },
  }),
  listDepositsOfMember: list({
    call: 'GET /operator/members/:id/deposits/',
    summary: 'What came to the address of a member, and what happened to each',
    item: contract.memberDeposit,
    read: async ({ db, config }, id, { limit, offset }) => {
      const { rows, count } = await depositsOf(db, id, limit, offset)
      return { results: rows.map((row) => presentDeposit(config, row)), count }
    },
  }),
  listPaymentsOfMember: list({
    call: 'GET /operator/members/:id/payments/',
    summary: 'Payments of every kind to a member',
    item: contract.payment,
    read: async ({ db, reader, caller }, id, { limit, offset }) => {
      const everything = { kind: undefined, person: '', ...readDays({}, caller.timeZone) }
      const { rows, count } = await paymentsOf(db, id, everything, limit, offset)
      return { results: rows.map((row) => presentPayment(row, reader, caller.timeZone)), count }
    },
  }),
  explainPaymentOfMember: route({
    ...operator,
    ...one,
    call: 'GET /operator/members/:id/payments/:payment/why/',
    replica: true,
    summary: 'Everything behind one payment to a member',
    params: z.object({ id: z.string(), payment: z.string() }),
    response: { 200: contract.paymentWhy },
    refuses: ['member_not_found', 'payment_not_found'],
    handler: async ({ params }, call) => {
      const { id } = await requireMember(call.db, readId(params.id))
      const place = readPaymentId(params.payment)
      const payment = place === null ? null : await paymentOf(call.db, id, place)
      if (payment === null) throw new Refusal('payment_not_found')
      return presentWhy(payment, call.reader, call.caller.timeZone)
    },
  }),
  listWithdrawalsOfMember: list({
    call: 'GET /operator/members/:id/withdrawals/',
    summary: 'The withdrawals of a member',
    item: contract.withdrawal,
    read: async (call, id, { limit, offset }) => {
      const { rows, count } = await listWithdrawals(call.db, id, limit, offset)
      const view = await viewAt(call.db, await call.now())
      return { results: rows.map((row) => presentWithdrawal(call.config, row, view, call.reader)), count }
    },
  }),
  readNetworkOfMember: route({
    ...operator,
    ...one,
    call: 'GET /operator/members/:id/network/',
    replica: true,
    summary: 'Where a member stands in both trees, and what is below',
    response: { 200: contract.memberNetwork },
    handler: async ({ params }, { db }) => {
      const { id } = await requireMember(db, readId(params.id))
      return readNetwork(db, id)
    },
  }),
  listReferralsOfMember: list({
    call: 'GET /operator/members/:id/referrals/',
    summary: 'Whom a member introduced',
    item: contract.referral,
    read: ({ db, locale }, id, { limit, offset }) =>
      listReferrals(db, id, { order: '-date', locale, pageSize: limit, offset }),
  }),
  listSessionsOfMember: list({
    call: 'GET /operator/members/:id/sessions/',
    summary: 'Where a member is signed in',
    item: contract.sessionItem,
    read: ({ db, systemNow }, id, { limit, offset }) => {
      const nobodys = { memberId: id, sessionId: '00000000-0000-0000-0000-000000000000' }
      return listSessions(db, nobodys, { offset, pageSize: limit }, systemNow)
    },
  }),
  listSecurityEventsOfMember: list({
    call: 'GET /operator/members/:id/security-events/',
    summary: 'What happened to the account of a member, and what was tried and failed',
    item: contract.securityEventItem,
    read: ({ db, systemNow }, id, { limit, offset }) =>
      listSecurityEvents(db, id, { offset, pageSize: limit }, systemNow),
  }),
  listMailsOfMember: list({
    call: 'GET /operator/members/:id/mails/',
    summary: 'What was written to a member',
    item: contract.memberMail,
    read: async ({ db }, id, { limit, offset }) => {
      const { rows, count } = await mailsOf(db, id, limit, offset)
      return { results: rows.map(presentMail), count }
    },
  }),
  listNotesOfMember: list({
    call: 'GET /operator/members/:id/notes/',
    summary: 'What operators wrote down about a member',
    item: contract.memberNote,
    read: async ({ db }, id, { limit, offset }) => {
      const { rows, count } = await notesOf(db, id, limit, offset)
      const results = rows.map((row) => ({ ...row, id: Number(row.id), date: row.at.toISOString() }))
      return { results, count }
    },
  }),
  writeNoteOnMember: route({
    ...operator,
    ...one,
    ability: 'members.note',
    call: 'POST /operator/members/:id/notes/',
    summary: 'Writes something down about a member, for good',
    body: contract.noteBody,
    response: { 201: z.null() },
    transaction: 'idempotent',
    stepUp: 'recent',
    handler: async ({ params, body: { text } }, { tx, caller, systemNow }) => {
      await writeNote(tx, { memberId: readId(params.id), authorId: caller.memberId, text }, systemNow)
      return null
    },
  }),
  listLooksAtMember: list({
    call: 'GET /operator/members/:id/looks/',
    summary: 'Which operators opened the page of a member, and when',
    item: contract.memberLook,
    read: async ({ db }, id, { limit, offset }) => {
      const { rows, count } = await looksOf(db, id, limit, offset)
      return { results: rows.map((row) => ({ operator: row.operator, date: row.at.toISOString() })), count }
    },
  }),
})
