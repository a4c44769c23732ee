import type { PlanPreview, PlanVersion } from '@aval/contract'
import { useBusinessTime } from '../../api/businessTime.ts'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import {
  type Coded,
  decision,
  isOutdated,
  type Message,
  operatorList,
  operatorQuery,
} from '../shared/calls.ts'
import { currentOf, dayIn, zoneOf } from './planRates.ts'

export interface PlanProposal {
  startsOn: string
  document: Record<string, unknown>
}

/** Also where another operator was faster: what is shown is out of date. */
const changed = (_answer: unknown, failure: unknown) =>
  failure === undefined || isOutdated(failure) ? (['Operator'] as const) : []

const planApi = client.injectEndpoints({
  endpoints: (build) => ({
    rates: operatorList(build, 'declaredRate', (page: number) => `operator/rates/?page=${page}`),
    /** The percentage is a plain decimal, of principal. */
    declareRate: build.mutation<
      Message,
      { day: string; percentage: string; reason: string; was: string | null | undefined } & Coded
    >({
      query: ({ day, percentage, reason, was, ...coded }) =>
        decision('operator/rates/', coded, { day, percentage, reason, was }),
      invalidatesTags: changed,
    }),
    rateCost: operatorQuery(
      build,
      'rateCost',
      ({ day, percentage }: { day: string; percentage: string }) =>
        `operator/rates/cost/?day=${day}&percentage=${percentage}`,
    ),
    /** By its number, or the last of a document by its SHA-256. */
    planPreview: operatorQuery(build, 'planPreview', (key: string) => `operator/plan-previews/${key}/`),
    previewPlan: build.mutation<PlanPreview, Record<string, unknown>>({
      query: (document) => ({
        path: 'operator/plan-previews/',
        method: 'POST',
        body: { document },
        fits: conforms((contract) => contract.planPreview),
      }),
    }),
    plans: build.query<PlanVersion[], void>({
      query: () => ({
        path: 'operator/plans/',
        fits: conforms((contract) => contract.planVersion.array()),
      }),
      providesTags: ['Operator'],
    }),
    createPlan: build.mutation<Message, PlanProposal & Coded>({
      query: ({ startsOn, document, ...coded }) =>
        decision('operator/plans/', coded, { starts_on: startsOn, document }),
      invalidatesTags: changed,
    }),
  }),
})

export const {
  useRatesQuery,
  useDeclareRateMutation,
  usePlansQuery,
  useCreatePlanMutation,
  useRateCostQuery,
  usePlanPreviewQuery,
  usePreviewPlanMutation,
} = planApi

/** The versions of the plan, the one in force, and what day it is in its calendar. */
export function usePlans() {
  const plans = usePlansQuery()
  // Without the server's time this device's will do: the server has the last word on days.
  const now = useBusinessTime()?.toISOString()
  const current = plans.data === undefined ? undefined : currentOf(plans.data)
  const today = now === undefined || plans.data === undefined ? undefined : dayIn(now, zoneOf(current))
  return { plans, current, today }
}
