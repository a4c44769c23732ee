import { directPayment, pageOf, pageQuery, passivePayment } from '@aval/contract'
import type { Context } from '../../core/context.ts'
import { callerOf } from '../../http/access.ts'
import { localeOf } from '../../http/language.ts'
import { presentPage, readPage } from '../../http/paging.ts'
import type { Api } from '../../http/server.ts'
import { paymentsOf, timeZoneAt } from './payments.commands.ts'
import { presentDirect, presentPassive } from './payments.presenter.ts'

export function paymentsRoutes(api: Api, { db, clock }: Context): void {
  api.get(
    '/payments/direct-payments/',
    {
      config: { access: 'member' },
      schema: { querystring: pageQuery, response: { 200: pageOf(directPayment) } },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const zone = await timeZoneAt(db, await clock.now())
      const { rows, count } = await paymentsOf(db, callerOf(request).memberId, 'direct', pageSize, offset)
      const locale = localeOf(request)
      return presentPage(request, { count, results: rows.map((row) => presentDirect(row, locale, zone)) })
    },
  )

  api.get(
    '/payments/pasive-payments/',
    {
      config: { access: 'member' },
      schema: { querystring: pageQuery, response: { 200: pageOf(passivePayment) } },
    },
    async (request) => {
      const { pageSize, offset } = readPage(request.query)
      const zone = await timeZoneAt(db, await clock.now())
      const { rows, count } = await paymentsOf(db, callerOf(request).memberId, 'passive', pageSize, offset)
      const locale = localeOf(request)
      return presentPage(request, { count, results: rows.map((row) => presentPassive(row, locale, zone)) })
    },
  )
}
