import type { WithdrawalTerms } from '@aval/contract'
import type { ReactNode } from 'react'
import type { Failure } from '../../../api/failure.ts'
import { ErrorState, type QueryState } from '../../../ui/States.tsx'

interface Props {
  terms: QueryState<WithdrawalTerms>
  children: ReactNode
}

/** In the place of what the terms are needed for, where they did not come. */
export function TermsFailure({ terms, children }: Props) {
  const { data, error, isFetching, refetch } = terms
  if (data !== undefined || error === undefined || isFetching) return children
  return <ErrorState failure={error as Failure} onRetry={refetch} />
}
