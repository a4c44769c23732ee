import type { directPayment, Page, passivePayment } from '@aval/contract'
import { client } from '../../api/client.ts'

export type DirectPayment = (typeof directPayment)['_zod']['output']
export type PassivePayment = (typeof passivePayment)['_zod']['output']

const paymentsApi = client.injectEndpoints({
  endpoints: (build) => ({
    directPayments: build.query<Page<DirectPayment>, number>({
      query: (page) => ({ path: `payments/direct-payments/?page=${page}` }),
      providesTags: ['Payments'],
    }),
    passivePayments: build.query<Page<PassivePayment>, number>({
      query: (page) => ({ path: `payments/pasive-payments/?page=${page}` }),
      providesTags: ['Payments'],
    }),
  }),
})

export const { useDirectPaymentsQuery, usePassivePaymentsQuery } = paymentsApi
