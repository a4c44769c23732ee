import { paymentWhy } from '@aval/contract'
import { z } from 'zod'
import { readId, readPaymentId } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import { route, routes } from '../../http/route.ts'
import { presentWhy } from './earnings.presenter.ts'
import { paymentOf } from './earnings.queries.ts'

export const earningsOperatorRoutes = routes({
  explainMemberPayment: route({
    access: 'operator',
    tags: ['operator'],
    call: 'GET /operator/members/:member/why/:payment/',
    ability: 'runs.read',
    replica: true,
    summary: 'Everything behind one payment of a member, as the member reads it',
    params: z.object({ member: z.string(), payment: z.string() }),
    response: { 200: paymentWhy },
    refuses: ['payment_not_found'],
    handler: async ({ params }, call) => {
      const [memberId, place] = [readId(params.member), readPaymentId(params.payment)]
      const payment = memberId === null || place === null ? null : await paymentOf(call.db, memberId, place)
      if (payment === null) throw new Refusal('payment_not_found')
      return presentWhy(payment, call.locale, call.caller.timeZone)
    },
  }),
})
