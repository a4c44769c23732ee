import type { Availability, RegisterBody } from '@aval/contract'
import { regionOf } from '@aval/contract/regions'
import type { Wire } from '../../../api/conforms.ts'
import type { Failure } from '../../../api/failure.ts'
import { type Answer, http } from '../../../api/http.ts'
import { asOwnApp } from '../../../api/ownApp.ts'
import type { Tokens } from '../../../api/session.ts'
import { openSession } from '../sign-in/api.ts'

export type Inviter = Wire<'inviter'>

export type NewMember = Omit<RegisterBody, 'captcha' | 'time_zone' | 'region'>

export async function register(refCode: string, member: NewMember, captcha: string): Promise<Failure | null> {
  const path = `auth/register/${encodeURIComponent(refCode)}/`
  // Not from `api/timeZone.ts` and `api/region.ts`, which stand with what only members load.
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const region = regionOf(navigator.languages, time_zone)
  const body = { ...member, captcha, time_zone, ...(region !== null && { region }) }
  return openSession(await http<Tokens>({ path, method: 'POST', headers: asOwnApp(), body }, null))
}

export function inviterOf(refCode: string): Promise<Answer<Inviter>> {
  return http<Inviter>({ path: `auth/inviter/${encodeURIComponent(refCode)}/` }, null)
}

/** Whether this username is free. Posted, so that what people type stands in no log. */
export function availabilityOf(username: string): Promise<Answer<Availability>> {
  return http<Availability>({ path: 'auth/availability/', method: 'POST', body: { username } }, null)
}
