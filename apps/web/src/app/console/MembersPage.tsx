import { useLocation } from 'react-router'
import { useMemberActsQuery } from '../../console/members/acts/api.ts'
import { MemberActs } from '../../console/members/acts/MemberActs.tsx'

/** One member, by the number in the address. */
export function MembersPage() {
  const id = Number(useLocation().pathname.split('/').at(-1))
  const { data } = useMemberActsQuery(id)
  return data === undefined ? null : <MemberActs memberId={id} username={data.username} />
}
