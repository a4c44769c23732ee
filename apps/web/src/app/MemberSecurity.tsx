import { useAccountSecurityQuery } from '../features/identity/profile/api.ts'
import { CoolingNotice } from '../features/identity/profile/components/CoolingNotice.tsx'
import { SecurityPage } from '../features/identity/security/components/SecurityPage.tsx'
import type { MemberContext } from './memberContext.ts'

/** The security page, and under its heading what keeps money in for now. */
export function MemberSecurity({ user }: MemberContext) {
  const { data } = useAccountSecurityQuery()
  return <SecurityPage user={user} notice={<CoolingNotice />} coolingHours={data?.cooling_hours} />
}
