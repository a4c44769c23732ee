import { session } from '../api/browserSession.ts'
import { currentUser } from '../api/user.ts'
import { dashboard } from '../features/dashboard/api.ts'
import { reserves } from '../features/reserves/api.ts'
import { store } from './store.ts'

/** Whether the token of the last visit may speak for this one while it is being renewed. */
const mayCall = () => session.signedIn() === null && session.isFresh()

/** What the shell shows on every page. An answer that nobody asks for within a minute is forgotten; a failed one is asked for again. */
export function callForShell(): void {
  if (!mayCall()) return
  void store.dispatch(currentUser.initiate(undefined, { subscribe: false }))
  void store.dispatch(dashboard.initiate(undefined, { subscribe: false }))
}

export function callForDashboard(): void {
  if (mayCall()) void store.dispatch(reserves.initiate(undefined, { subscribe: false }))
}
