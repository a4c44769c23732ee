import { useBinaryPaymentsQuery, useBinaryPointsQuery, useBinaryStandingQuery } from './api.ts'
import { saysSomething } from './tabs.ts'

const FIRST_PAGE = 1

/**
 * Whether the member has anything binary to look at; undefined until it is known. The lists are asked only where the
 * standing says nothing: all points may have been reversed. What could not be asked counts as nothing.
 */
export function useBinaryData(): boolean | undefined {
  const standing = useBinaryStandingQuery()
  const isTold = standing.data !== undefined && saysSomething(standing.data)
  const skip = isTold || standing.isLoading
  const payments = useBinaryPaymentsQuery(FIRST_PAGE, { skip })
  const points = useBinaryPointsQuery(FIRST_PAGE, { skip })
  if (isTold) return true
  if (standing.isLoading || payments.isLoading || points.isLoading) return undefined
  return (payments.data?.count ?? 0) + (points.data?.count ?? 0) > 0
}
