import { Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { MemberActs } from '../../console/members/acts/MemberActs.tsx'
import { MemberPage } from '../../console/members/components/MemberPage.tsx'
import { MembersPage as MembersList } from '../../console/members/components/MembersPage.tsx'
import { CONSOLE, memberLink } from '../../console/shared/place.ts'
import { ThreadView } from '../../console/support/components/ThreadView.tsx'
import { SkeletonCard } from '../../ui/States.tsx'
import { part } from '../i18n.ts'

/** The same drawing as members have of their own network, with what it is made of, is loaded when it is looked at. */
const MemberTrees = part(
  async () => (await import('../../features/genealogy/tree/components/MemberTrees.tsx')).MemberTrees,
  'genealogy/tree',
)

/** The list of members, or the one whose number the address names; a number that is none is nobody's. */
export function MembersPage() {
  const navigate = useNavigate()
  const [, id = ''] = useLocation()
    .pathname.slice(CONSOLE.length + 1)
    .split('/')
  if (id === '') return <MembersList />
  return (
    <MemberPage
      key={id}
      id={id}
      acts={({ id: member, username }) => <MemberActs memberId={member} username={username} />}
      trees={({ id: of, username }) => (
        <Suspense fallback={<SkeletonCard bars={[['100%', 440]]} />}>
          <MemberTrees
            of={of}
            username={username}
            onMember={(member) => void navigate(memberLink(member, 'network'))}
          />
        </Suspense>
      )}
      chat={(member) => <ThreadView member={member} within />}
    />
  )
}
