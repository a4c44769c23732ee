import { configureStore } from '@reduxjs/toolkit'
import { session } from '../api/browserSession.ts'
import { client } from '../api/client.ts'

/** Loaded with the first page behind the sign-in; visitors have no use for it. */
export const store = configureStore({
  reducer: { [client.reducerPath]: client.reducer },
  middleware: (defaults) => defaults().concat(client.middleware),
})

// The next member must not see data of the last one. Not cleared when a session ends: its pages are still shown then.
let hasEnded = session.signedIn() === false
session.subscribe(() => {
  if (session.signedIn() === true && hasEnded) store.dispatch(client.util.resetApiState())
  hasEnded = session.signedIn() === false
})
