import type { DeclaredRate, DemoState, Page, PlanVersion } from '@aval/contract'
import { client } from '../../api/client.ts'
import { type Coded, keyed } from '../shared/calls.ts'

interface RateDeclaration extends Coded {
  day: string
  /** Plain decimal percent of principal. */
  percentage: string
}

interface NewPlan extends Coded {
  startsOn: string
  document: Record<string, unknown>
}

interface Said {
  message: string
}

const planApi = client.injectEndpoints({
  endpoints: (build) => ({
    /** The day it is where periods are concerned; the demo's runs ahead of the browser's. */
    businessTime: build.query<DemoState, void>({
      query: () => ({ path: 'demo/' }),
      providesTags: ['Demo'],
    }),
    rates: build.query<Page<DeclaredRate>, number>({
      query: (page) => ({ path: `operator/rates/?page=${page}` }),
      providesTags: ['Operator'],
    }),
    declareRate: build.mutation<Said, RateDeclaration>({
      query: ({ idempotencyKey, ...body }) => ({
        path: 'operator/rates/',
        method: 'POST',
        headers: keyed(idempotencyKey),
        body,
      }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? ['Operator'] : []),
    }),
    plans: build.query<PlanVersion[], void>({
      query: () => ({ path: 'operator/plans/' }),
      providesTags: ['Operator'],
    }),
    createPlan: build.mutation<Said, NewPlan>({
      query: ({ startsOn, document, otp, idempotencyKey }) => ({
        path: 'operator/plans/',
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: { starts_on: startsOn, document, otp },
      }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? ['Operator'] : []),
    }),
  }),
})

export const {
  useBusinessTimeQuery,
  useRatesQuery,
  useDeclareRateMutation,
  usePlansQuery,
  useCreatePlanMutation,
} = planApi
