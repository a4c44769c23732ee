import { Provider } from 'react-redux'
import { useCurrentUserQuery } from '../../api/user.ts'
import { Loaded } from '../../ui/States.tsx'
import { Boot } from '../Boot.tsx'
import { NotFound } from '../errors/ErrorPages.tsx'
import { InAddress } from '../InAddress.tsx'
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

function ForOperators() {
  const { data: user, error, isFetching, refetch } = useCurrentUserQuery()
  if (user?.is_operator === true) return <ConsoleShell user={user} />
  return (
    <BareLayout>
      <Loaded query={{ data: user, error, isFetching, refetch }} hold={<Boot />}>
        {() => <NotFound />}
      </Loaded>
    </BareLayout>
  )
}
