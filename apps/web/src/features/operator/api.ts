import type {
  DeclaredRate,
  DemoState,
  ObservedTransfer,
  OperatorOverview,
  Page,
  PayoutRun,
  PlanVersion,
  PoolName,
  Reversal,
} from '@aval/contract'
import { CHANGED_BY_INVESTING, client } from '../../api/client.ts'
import type { Failure } from '../../api/failure.ts'
import type { Decision } from './runStages.ts'

export type Verdict = ObservedTransfer['verdict']
export type OperatorInvestment = Reversal['investment']

/** The code that confirms a decision. It is no part of what is asked: the same decision keeps its key with another code. */
interface Coded {
  otp: string
}

interface TransferQuery {
  page: number
  verdict: Verdict | null
}

interface RunQuery {
  page: number
  /** Only those that are neither done nor cancelled. */
  open: boolean
}

interface Funding extends Coded {
  pool: PoolName
  /** Plain decimal. */
  amount: string
  idempotencyKey: string
}

interface RunDecision extends Coded {
  id: number
  decision: Decision
  note: string
  idempotencyKey: string
}

interface RateDeclaration extends Coded {
  day: string
  /** Plain decimal percent of principal. */
  percentage: string
  idempotencyKey: string
}

interface NewPlan extends Coded {
  startsOn: string
  document: Record<string, unknown>
  idempotencyKey: string
}

interface InvestmentQuery {
  member: string
  page: number
}

interface Reversing extends Coded {
  id: number
  reason: string
  idempotencyKey: string
}

interface Said {
  message: string
}

/** What a payout run changes, the operator's own payments included. */
export const CHANGED_BY_PAYING = ['Operator', 'Payments', 'Dashboard', 'User'] as const

/** A reversal walks every payment that an investment ever made. */
const LONG_PATIENCE = 60_000

const keyed = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey })

/** Somebody else was faster: what is shown is out of date. */
const isOutdated = (failure: unknown) => (failure as Failure | undefined)?.status === 409

const runsApi = client.injectEndpoints({
  endpoints: (build) => ({
    runs: build.query<Page<PayoutRun>, RunQuery>({
      query: ({ page, open }) => ({ path: `operator/runs/?page=${page}${open ? '&state=open' : ''}` }),
      providesTags: ['Operator'],
    }),
    run: build.query<PayoutRun, number>({
      query: (id) => ({ path: `operator/runs/${id}/` }),
      providesTags: ['Operator'],
    }),
    decideRun: build.mutation<Said, RunDecision>({
      query: ({ id, decision, note, otp, idempotencyKey }) => ({
        path: `operator/runs/${id}/${decision}/`,
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: note === '' ? { otp } : { note, otp },
      }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined ? CHANGED_BY_PAYING : isOutdated(failure) ? ['Operator'] : [],
    }),
  }),
})

const moneyApi = client.injectEndpoints({
  endpoints: (build) => ({
    overview: build.query<OperatorOverview, void>({
      query: () => ({ path: 'operator/overview/' }),
      providesTags: ['Operator'],
    }),
    transfers: build.query<Page<ObservedTransfer>, TransferQuery>({
      query: ({ page, verdict }) => ({
        path: `operator/transfers/?page=${page}${verdict === null ? '' : `&verdict=${verdict}`}`,
      }),
      providesTags: ['Operator'],
    }),
    fundPool: build.mutation<unknown, Funding>({
      query: ({ pool, amount, otp, idempotencyKey }) => ({
        path: `operator/pools/${pool}/fund/`,
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: { amount, otp },
      }),
      invalidatesTags: (_answer, failure) => (failure === undefined ? CHANGED_BY_PAYING : []),
    }),
    memberInvestments: build.query<Page<OperatorInvestment>, InvestmentQuery>({
      query: ({ member, page }) => ({
        path: `operator/investments/?member=${encodeURIComponent(member)}&page=${page}`,
      }),
      providesTags: ['Operator'],
    }),
    // Without a tag: once carried out there is nothing left to preview.
    reversal: build.query<Reversal, number>({
      query: (id) => ({ path: `operator/investments/${id}/reversal/`, patience: LONG_PATIENCE }),
      keepUnusedDataFor: 0,
    }),
    reverse: build.mutation<Reversal, Reversing>({
      query: ({ id, reason, otp, idempotencyKey }) => ({
        path: `operator/investments/${id}/reversal/`,
        method: 'POST',
        headers: keyed(idempotencyKey),
        body: { reason, otp },
        patience: LONG_PATIENCE,
      }),
      invalidatesTags: (_answer, failure) =>
        failure === undefined
          ? [...CHANGED_BY_PAYING, ...CHANGED_BY_INVESTING]
          : isOutdated(failure)
            ? ['Operator']
            : [],
    }),
  }),
})

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

export const { useRunsQuery, useRunQuery, useDecideRunMutation } = runsApi
export const {
  useOverviewQuery,
  useTransfersQuery,
  useFundPoolMutation,
  useMemberInvestmentsQuery,
  useReversalQuery,
  useReverseMutation,
} = moneyApi
export const {
  useBusinessTimeQuery,
  useRatesQuery,
  useDeclareRateMutation,
  usePlansQuery,
  useCreatePlanMutation,
} = planApi
