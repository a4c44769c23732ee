import { Provider } from 'react-redux'
import { Shell } from './shell/Shell.tsx'
import { store } from './store.ts'

/** Everything behind the sign-in, with the store that only it needs. */
export function MemberApp() {
  return (
    <Provider store={store}>
      <Shell />
    </Provider>
  )
}
