import { useParams } from 'react-router'
import { MemberPage } from '../console/members/components/MemberPage.tsx'
import { MembersPage } from '../console/members/components/MembersPage.tsx'
import { SearchButton } from '../console/search/components/SearchButton.tsx'
import { ConfirmProvider } from '../console/shared/ConfirmProvider.tsx'
import { EndSessions } from '../console/shared/EndSessions.tsx'
import { ThreadView } from '../console/support/components/SupportTab.tsx'
import '../console/shared/console.css'

/** The list of members, as operators see it. */
export function MembersListPage() {
  return (
    <div className="operator">
      <MembersPage action={<SearchButton />} />
    </div>
  )
}

/** One of them; a number that is none is nobody's. */
export function OneMemberPage() {
  const { id = '' } = useParams()
  return (
    <div className="operator">
      <ConfirmProvider>
        <MemberPage
          key={id}
          id={id}
          action={<SearchButton />}
          acts={({ id: member, username }) => (
            <div className="row-8">
              <EndSessions member={member} username={username} />
            </div>
          )}
          chat={(member) => <ThreadView member={member} within />}
        />
      </ConfirmProvider>
    </div>
  )
}
