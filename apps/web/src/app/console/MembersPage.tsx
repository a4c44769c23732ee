import { useLocation } from 'react-router'
import { MemberActs } from '../../console/members/acts/MemberActs.tsx'
import { MemberPage } from '../../console/members/components/MemberPage.tsx'
import { MembersPage as MembersList } from '../../console/members/components/MembersPage.tsx'
import { CONSOLE } from '../../console/shared/place.ts'
import { ThreadView } from '../../console/support/components/ThreadView.tsx'

/** The list of members, or the one whose number the address names; a number that is none is nobody's. */
export function MembersPage() {
  const [, id = ''] = useLocation()
    .pathname.slice(CONSOLE.length + 1)
    .split('/')
  if (id === '') return <MembersList />
  return (
    <MemberPage
      key={id}
      id={id}
      acts={({ id: member, username }) => <MemberActs memberId={member} username={username} />}
      chat={(member) => <ThreadView member={member} within />}
    />
  )
}
