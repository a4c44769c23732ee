import { useBusinessTimeQuery, usePlansQuery } from './api.ts'
import { dayIn } from './days.ts'
import { currentOf, zoneOf } from './planRates.ts'

/** The versions of the plan, the one in force, and what day it is in its calendar. */
export function usePlans() {
  const plans = usePlansQuery()
  const time = useBusinessTimeQuery()
  const current = plans.data === undefined ? undefined : currentOf(plans.data)
  // Without the server's time this device's will do: the server has the last word on days.
  const now = time.data?.now ?? (time.isError ? new Date().toISOString() : undefined)
  const today = now === undefined || plans.data === undefined ? undefined : dayIn(now, zoneOf(current))
  return { plans, current, today }
}
