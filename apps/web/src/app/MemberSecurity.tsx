import { useAccountSecurityQuery } from '../features/profile/api.ts'
import { CoolingNotice } from '../features/profile/components/CoolingNotice.tsx'
import { SecurityPage } from '../features/security/components/SecurityPage.tsx'
import type { MemberContext } from './memberContext.ts'

/** The security page, and under its heading what keeps money in for now. */
export function MemberSecurity({ user }: MemberContext) {
  const { data } = useAccountSecurityQuery()
  return <SecurityPage user={user} notice={<CoolingNotice />} coolingHours={data?.cooling_hours} />
}
