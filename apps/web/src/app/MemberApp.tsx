import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { useSyncExternalStore } from 'react'
import { Provider } from 'react-redux'
import { onTimeZone, timeZone } from '../api/timeZone.ts'
import { Shell } from './shell/Shell.tsx'
import { store } from './store.ts'

/** Everything behind the sign-in, with the store that only it needs. */
export function MemberApp() {
  const zone = useSyncExternalStore(onTimeZone, timeZone)
  return (
    <Provider store={store}>
      {/* Changes of the address are steps of the router that one can go back on. */}
      <NuqsAdapter defaultOptions={{ history: 'push', shallow: false }}>
        {/* In another time zone every time is written anew. */}
        <Shell key={zone} />
      </NuqsAdapter>
    </Provider>
  )
}
