import { useBinaryPaymentsQuery, useBinaryPointsQuery, useBinaryStandingQuery } from './api.ts'
import { hasBinary } from './binary.ts'

const FIRST_PAGE = 1

/**
 * Whether the member has anything binary to look at; undefined until it is known. The lists are asked only where the
 * standing says nothing: all points may have been reversed. What could not be asked counts as nothing.
 */
export function useBinaryData(): boolean | undefined {
  const standing = useBinaryStandingQuery()
  const isKnown = standing.data !== undefined && hasBinary(standing.data)
  const skip = isKnown || standing.isLoading
  const payments = useBinaryPaymentsQuery(FIRST_PAGE, { skip })
  const points = useBinaryPointsQuery(FIRST_PAGE, { skip })
  if (isKnown) return true
  if (standing.isLoading || payments.isLoading || points.isLoading) return undefined
  return (payments.data?.count ?? 0) + (points.data?.count ?? 0) > 0
}
