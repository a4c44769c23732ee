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
      {/* In another time zone every time is written anew. */}
      <Shell key={zone} />
    </Provider>
  )
}
