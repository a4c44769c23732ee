import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { Provider } from 'react-redux'
import { Shell } from './shell/Shell.tsx'
import { store } from './store.ts'

/** Everything behind the sign-in, with the store that only it needs. */
export function MemberApp() {
  return (
    <Provider store={store}>
      {/* Changes of the address are steps of the router that one can go back on. */}
      <NuqsAdapter defaultOptions={{ history: 'push', shallow: false }}>
        <Shell />
      </NuqsAdapter>
    </Provider>
  )
}
