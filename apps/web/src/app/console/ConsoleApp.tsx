import { Provider } from 'react-redux'
import { useLocation } from 'react-router'
import { useCurrentUserQuery } from '../../api/user.ts'
import { Loaded } from '../../ui/States.tsx'
import { Boot } from '../Boot.tsx'
import { NotFound } from '../errors/ErrorPages.tsx'
import { InAddress } from '../InAddress.tsx'
import { part } from '../i18n.ts'
import { BareLayout } from '../layouts.tsx'
import { store } from '../store.ts'
import { ConsoleShell } from './ConsoleShell.tsx'

/** The operators' side of the product. Members and visitors never load it; to a member it is not there. */
export function ConsoleApp() {
  return (
    <Provider store={store}>
      <InAddress>
        <ForOperators />
      </InAddress>
    </Provider>
  )
}

/** Where the link of an invitation leads: of the console, the one page that is there for a member. */
const INVITATION = /^\/operator\/invitation\/?$/
const InvitationPage = part(
  async () =>
    (await import('../../features/identity/invitation/components/InvitationPage.tsx')).InvitationPage,
  'identity/invitation',
  'identity/security',
)

function ForOperators() {
  const { data: user, error, isFetching, refetch } = useCurrentUserQuery()
  const { pathname } = useLocation()
  if (INVITATION.test(pathname))
    return (
      <BareLayout>
        <InvitationPage user={user} />
      </BareLayout>
    )
  if (user?.is_operator === true) return <ConsoleShell user={user} />
  return (
    <BareLayout>
      <Loaded query={{ data: user, error, isFetching, refetch }} hold={<Boot />}>
        {() => <NotFound />}
      </Loaded>
    </BareLayout>
  )
}
